// `maycrawl check --urls`: verdicts about a list of URLs, a sitemap or a feed.

import { fstatSync, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { readFirstChunk } from '@maycrawl/client/internal';
import { getPolicyCode, getPolicySummary } from '@maycrawl/core';
import type { NamedCrawler, Source } from '../../../batch/judge.ts';
import type { UrlListJob } from '../../../batch/url-list.ts';
import { describeFileError } from '../../../files/file-error.ts';
import { openDescriptor } from '../../../files/open-descriptor.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { type FetchingOptions, isFetchable, readUrls } from '../../input/sitemaps.ts';
import { openStandardInput } from '../../input/standard-input.ts';
import { CommandError } from '../../output/errors.ts';
import { createProgress } from '../../output/progress.ts';
import { printResults } from '../../output/result-lines.ts';
import { printMessage } from '../../output/terminal.ts';

/**
 * Prints the verdict for each URL of a list and each crawler: in JSON, or as verdict, line of the rule, crawler and URL, separated by
 * tabs. At the end it prints the counts on standard error.
 *
 * @param list - a path, `-` for standard input, or an http or https URL.
 * @returns the exit code: 0 if all are allowed, 1 if any is disallowed, 2 if any has no verdict.
 * @throws {CommandError} if the list cannot be read.
 */
export async function checkUrlList(
  list: string,
  source: Source,
  crawlers: readonly NamedCrawler[],
  { normalize, json, ...fetching }: FetchingOptions & { readonly normalize: boolean; readonly json: boolean },
): Promise<number> {
  const { robots, policy, ...rest } = source;
  const job: UrlListJob = {
    kind: 'urls',
    // Threads get the file as bytes.
    source: { ...rest, policy: getPolicySummary(getPolicyCode(policy)) },
    content: robots.bytes,
    profile: robots.profile.name,
    crawlers,
    normalize,
    json,
  };
  const interrupt = new AbortController();
  const { input, bytes } = await openList(list, { ...fetching, signal: interrupt.signal });
  const progress = await createProgress('verdicts', bytes);
  const started = performance.now();
  const { allowed, disallowed, failed, isStopped } = await printResults(input, job, progress, interrupt);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts = `${formatCount(allowed)} allowed, ${formatCount(disallowed)} disallowed, ${formatCount(failed)} without a verdict`;
  printMessage(`${isStopped ? 'stopped: ' : ''}${counts}, in ${seconds} s`);
  if (failed > 0 || isStopped) return 2;
  return disallowed > 0 ? 1 : 0;
}

/** The lines of a list, and their length in bytes if it is known. */
interface OpenList {
  readonly input: Readable;
  readonly bytes: number | undefined;
}

async function openList(list: string, fetching: FetchingOptions): Promise<OpenList> {
  if (isFetchable(list)) return { input: toLines(readUrls(list, fetching)), bytes: undefined };
  const file = openFile(list);
  try {
    if (!isSitemap(await readFirstChunk(file.input))) return file;
  } catch (cause) {
    throw unreadable(list, cause);
  }
  return { input: toLines(readUrls(list, fetching, undefined, file.input)), bytes: undefined };
}

function openFile(list: string): OpenList {
  if (list === '-') return { input: openStandardInput(), bytes: undefined };
  try {
    const fd = openSync(list, 'r');
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' });
    return { input: openDescriptor(fd), bytes: stats.isFile() ? stats.size : undefined };
  } catch (cause) {
    throw unreadable(list, cause);
  }
}

function unreadable(list: string, cause: unknown): CommandError {
  const name = list === '-' ? 'the input' : visible(list);
  return new CommandError(`cannot read ${name}: ${describeFileError(cause)}`, { cause });
}

/** Whether a file begins like XML or gzip. Unlike lists of lines, sitemaps have a maximum length. */
function isSitemap(start: Uint8Array | undefined): boolean {
  if (start === undefined) return false;
  return (start[0] === 0x1f && start[1] === 0x8b) || /^(?:\xef\xbb\xbf)?\s*</.test(toLatin1(start));
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1_000)).toString('latin1');
}

/** Writes one URL a line. Removes line ends in URLs (URL Standard, section 4.4). */
function toLines(files: AsyncIterable<readonly string[]>): Readable {
  return Readable.from(
    (async function* () {
      for await (const urls of files)
        if (urls.length > 0)
          yield Buffer.from(`${urls.map((url) => url.replace(/[\r\n]/g, '')).join('\n')}\n`);
    })(),
  );
}
