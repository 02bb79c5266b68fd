/**
 * Where a robots.txt comes from: a file, standard input, or a site.
 *
 * @module
 */
import { open } from 'node:fs/promises';
import { MAX_FILE_BYTES, type ParseOptions, type Profile, parse, type RobotsTxt } from '@maycrawl/core';
import type { FetchCode, Hop, Outcome } from '../fetch/outcome.ts';
import { readStart } from '../fetch/read-start.ts';
import { CommandError, describeFileError } from './errors.ts';
import { standardInput } from './standard-input.ts';
import { visible } from './terminal.ts';

/** A robots.txt that was read, or why there are no rules to read. */
export interface Source {
  /** What was named: a path, `standard input`, or a URL. */
  readonly name: string;
  readonly outcome: 'found' | 'absent' | 'unreachable';
  /** Why it is absent or unreachable. */
  readonly reason?: string;
  readonly code?: FetchCode;
  /** The file's URL, where it has one. */
  readonly url?: string;
  readonly hops: readonly Hop[];
  /** The document; an empty one where there is no file. */
  readonly robots: RobotsTxt;
}

/** Whether a source is named by a URL. */
function isUrl(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(name);
}

/**
 * Reads the robots.txt that is named on the command line.
 *
 * @param name - a path, `-` for standard input, or an http or https URL.
 * @throws {CommandError} if it cannot be read. What a site answers is no error, but an outcome.
 */
export async function readSource(name: string, profile: Profile, userAgent: string): Promise<Source> {
  if (isUrl(name)) return fetchSource(name, profile, userAgent);
  const label = name === '-' ? 'standard input' : name;
  const bytes = name === '-' ? await readInput(standardInput()) : await readFileStart(name);
  return { name: label, outcome: 'found', hops: [], robots: parse(bytes, { profile }) };
}

async function fetchSource(url: string, profile: Profile, userAgent: string): Promise<Source> {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new CommandError(`cannot fetch ${visible(url)}: give an http or https URL`);
  }
  // Loaded late: most calls fetch nothing, and the HTTP client takes a while to load.
  const { fetchRobotsTxt } = await import('../fetch/http.ts');
  try {
    return sourceOf(url, await fetchRobotsTxt(url, { profile, userAgent }), { profile, url });
  } catch (cause) {
    throw new CommandError(`cannot fetch ${visible(url)}: ${(cause as Error).message}`, { cause });
  }
}

function sourceOf(url: string, outcome: Outcome, options: ParseOptions): Source {
  const { kind, hops } = outcome;
  if (outcome.kind === 'found')
    return { name: url, outcome: kind, url, hops, robots: parse(outcome.bytes, options) };
  return {
    name: url,
    outcome: kind,
    code: outcome.code,
    reason: outcome.reason,
    url,
    hops,
    robots: parse('', options),
  };
}

async function readFileStart(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path);
    return await readStart(file.createReadStream(), MAX_FILE_BYTES + 1);
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
}

async function readInput(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  try {
    return await readStart(input, MAX_FILE_BYTES + 1);
  } catch (cause) {
    throw new CommandError(`cannot read standard input: ${describeFileError(cause)}`, { cause });
  }
}
