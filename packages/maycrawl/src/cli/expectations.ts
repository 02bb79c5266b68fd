/**
 * What the owner of a site expects of a robots.txt: the file `robots.test.yaml` (docs/robots.test.schema.json).
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { CommandError, describeFileError } from './errors.ts';
import { type NamedCrawler, requireCrawler } from './options.ts';
import { visible } from './terminal.ts';

/** What is expected for one crawler. */
export interface Expectation {
  readonly crawler: NamedCrawler;
  /** URLs, paths and patterns. */
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

/**
 * Reads expectations.
 *
 * @throws {CommandError} if the file cannot be read, or says something else.
 */
export async function readExpectations(path: string): Promise<Expectation[]> {
  const wrong = (what: string, cause?: unknown): CommandError =>
    new CommandError(`${visible(path)}: ${visible(what)}`, { cause });
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
  const { parse } = await import('yaml');
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw wrong((cause as Error).message.split('\n')[0] ?? '', cause);
  }
  if (!Array.isArray(document) || document.length === 0)
    throw wrong('it must be a list of expectations, each with "crawler" and "allow" or "block"');
  return document.map((entry: unknown, index) => {
    const place = `expectation ${index + 1}`;
    if (typeof entry !== 'object' || entry === null) throw wrong(`${place} is no mapping`);
    const { crawler, allow = [], block = [], ...others } = entry as Record<string, unknown>;
    const [other] = Object.keys(others);
    if (other !== undefined)
      throw wrong(`${place} has "${other}", which is none of crawler, allow and block`);
    if (typeof crawler !== 'string') throw wrong(`${place} needs "crawler", the name of one`);
    if (!isTexts(allow) || !isTexts(block))
      throw wrong(`${place}: "allow" and "block" are lists of URLs and patterns`);
    if (allow.length + block.length === 0) throw wrong(`${place} expects nothing: give "allow" or "block"`);
    return { crawler: requireCrawler(crawler), allow, block };
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
}
