/**
 * `maycrawl check --urls`: decisions about a list of URLs, one a line, however long.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer';
import { fstatSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { findProfile, type Profile, parse } from '@maycrawl/core';
import { type Block, linesOf } from '../lines/line-reader.ts';
import { AnswerPiece } from './answer-piece.ts';
import { CommandError, describeFileError } from './errors.ts';
import { type Judge, jsonAnswerOf, jsonErrorOf, judgeFor } from './judge.ts';
import type { LineAnswerer } from './line-answerer.ts';
import { answerLines } from './line-pool.ts';
import type { NamedCrawler } from './options.ts';
import { formatCount, makeProgress } from './progress.ts';
import type { Source } from './source.ts';
import { readFrom, standardInput } from './standard-input.ts';
import { tell, toJson, visible } from './terminal.ts';

/** No URL is longer. */
const MAX_URL_BYTES = 1024 * 1024;

/** Deciding about URLs, as a thread is handed it: everything that the answers depend on. */
export interface UrlListJob {
  readonly kind: 'urls';
  readonly source: Omit<Source, 'robots'>;
  /** The file's content; empty where there is none. */
  readonly content: Uint8Array;
  readonly profile: string;
  readonly crawlers: readonly NamedCrawler[];
  readonly normalize: boolean;
  readonly json: boolean;
}

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

interface Judging {
  readonly crawler: NamedCrawler;
  /** The crawler's name as it may be printed. */
  readonly name: string;
  readonly judge: Judge;
}

/** Decides about URLs. */
export class UrlAnswerer implements LineAnswerer {
  readonly #source: Source;
  readonly #judges: readonly Judging[];
  readonly #json: boolean;

  constructor({ source, content, profile, crawlers, normalize, json }: UrlListJob) {
    const reading = { profile: findProfile(profile) as Profile };
    const options = source.url === undefined ? reading : { ...reading, url: source.url };
    this.#source = { ...source, robots: parse(content, options) };
    this.#judges = crawlers.map((crawler) => ({
      crawler,
      name: visible(crawler.name),
      judge: judgeFor(crawler, normalize),
    }));
    this.#json = json;
  }

  *answer(block: Block): Generator<AnswerPiece> {
    let piece = new AnswerPiece();
    for (const text of readTexts(block)) {
      if (typeof text !== 'string') {
        this.#fail(piece, text);
        continue;
      }
      // Whether there is anything that must not be printed as it is: mostly there is not, in all of the text.
      const isPlain = !/[^\n -~]/.test(text);
      for (let start = 0; start < text.length; ) {
        const found = text.indexOf('\n', start);
        const end = found < 0 ? text.length : found;
        const line = text.slice(start, end);
        const url = isPlain ? line.trim() : trimOuterSpace(line);
        start = end + 1;
        if (url === '') continue;
        const shown = isPlain ? url : visible(url);
        for (const judging of this.#judges) {
          this.#answerFor(judging, url, shown, piece);
          if (piece.isFull) {
            yield piece;
            piece = new AnswerPiece();
          }
        }
      }
    }
    yield piece;
  }

  #answerFor({ crawler, name, judge }: Judging, url: string, shown: string, piece: AnswerPiece): void {
    const verdict = judge(this.#source, url);
    const { kind } = verdict;
    if (this.#json) {
      const answer = jsonAnswerOf({ url, crawler, source: this.#source, verdict });
      piece.add(kind === 'out-of-scope' ? 'failed' : kind, toJson(answer));
    } else if (kind === 'out-of-scope') piece.add('failed', `no-answer\t-\t${name}\t${shown}`);
    else piece.add(kind, `${kind}\t${verdict.line || '-'}\t${name}\t${shown}`);
  }

  /** No answer to a line that cannot be read. */
  #fail(piece: AnswerPiece, { code, message }: Unreadable): void {
    for (const { crawler, name } of this.#judges) {
      const answer = this.#json
        ? toJson(jsonErrorOf(null, crawler, this.#source, { code, message }))
        : `no-answer\t-\t${name}\t${visible(message)}`;
      piece.add('failed', answer);
    }
  }
}

/** Space, tab and the like around a URL. All else around it is a part of what is asked. */
const OUTER_SPACE = '\t\v\f\r ';

function trimOuterSpace(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && OUTER_SPACE.includes(line.charAt(start))) start++;
  while (start < end && OUTER_SPACE.includes(line.charAt(end - 1))) end--;
  return line.slice(start, end);
}

/** Why a line cannot be read. */
interface Unreadable {
  readonly code: string;
  readonly message: string;
}

/** The lines of a block as text: all at once, which is much faster, or each for itself if some are not UTF-8. */
function* readTexts(block: Block): Generator<string | Unreadable> {
  if (block === undefined)
    yield { code: 'line-too-long', message: `a line longer than ${MAX_URL_BYTES} bytes` };
  else if (isUtf8(block)) yield block.toString();
  else {
    for (const line of linesOf(block)) {
      yield isUtf8(line)
        ? line.toString()
        : { code: 'invalid-utf8', message: `a line that is not UTF-8: ${line.toString()}` };
    }
  }
}
