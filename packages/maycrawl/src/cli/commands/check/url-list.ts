/**
 * `maycrawl check --urls`: decisions about a list of URLs, one a line, however long.
 *
 * @module
 */
import { fstatSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { answerLines } from '../../batch/line-pool.ts';
import { MAX_URL_BYTES, type UrlListJob } from '../../batch/url-answerer.ts';
import type { NamedCrawler } from '../../input/options.ts';
import type { Source } from '../../input/source.ts';
import { readFrom, standardInput } from '../../input/standard-input.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { formatCount, makeProgress } from '../../output/progress.ts';
import { tell, visible } from '../../output/terminal.ts';

/**
 * Decides about the URLs in a file, and prints an answer for each and each crawler: in JSON, or as verdict, line of the
 * rule, crawler and URL, with tabs between them. In the end it says on standard error how many there were.
 *
 * @param list - the path of the list, or `-` for standard input.
 * @returns the exit code: 0 if all are allowed, 1 if any is disallowed, 2 if any has no answer.
 * @throws {CommandError} if the list cannot be read.
 */
export async function checkUrlList(
  list: string,
  source: Source,
  crawlers: readonly NamedCrawler[],
  { normalize, json }: { readonly normalize: boolean; readonly json: boolean },
): Promise<number> {
  const { robots, ...rest } = source;
  const job: UrlListJob = {
    kind: 'urls',
    source: rest,
    content: robots.bytes,
    profile: robots.profile.name,
    crawlers,
    normalize,
    json,
  };
  const { input, bytes } = openList(list);
  const progress = await makeProgress('answers', bytes);
  const started = performance.now();
  const { allowed, disallowed, failed, isStopped } = await answerLines(
    input,
    MAX_URL_BYTES,
    job,
    process.stdout,
    progress,
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts = `${formatCount(allowed)} allowed, ${formatCount(disallowed)} disallowed, ${formatCount(failed)} without an answer`;
  tell(`${isStopped ? 'stopped: ' : ''}${counts}, in ${seconds} s`);
  if (failed > 0 || isStopped) return 2;
  return disallowed > 0 ? 1 : 0;
}

function openList(list: string): { input: Readable; bytes: number | undefined } {
  if (list === '-') return { input: standardInput(), bytes: undefined };
  try {
    const fd = openSync(list, 'r');
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
    return { input: readFrom(fd), bytes: stats.isFile() ? stats.size : undefined };
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(list)}: ${describeFileError(cause)}`, { cause });
  }
}
