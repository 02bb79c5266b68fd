// Verdicts about the lines of a list of URLs.
import { isUtf8 } from 'node:buffer';
import { findProfile, type PolicySummary, type Profile, parse } from '@maycrawl/core';
import { type Block, splitLines } from '../lines/line-reader.ts';
import { toJson, visible } from '../text/printable.ts';
import { JsonAnswers } from './json-answers.ts';
import { createErrorReport, createUrlJudge, type Judge, type NamedCrawler, type Source } from './judge.ts';
import { type LineJudge, ResultPiece } from './result-lines.ts';

/** Maximum length of a URL in bytes. */
export const MAX_URL_BYTES: number = 1024 * 1024;

/** A list of URLs to decide about, as data for a thread. */
export interface UrlListJob {
  readonly kind: 'urls';
  readonly source: Omit<Source, 'robots' | 'policy'> & { readonly policy: PolicySummary };
  /** The content of the file; empty if there is none. */
  readonly content: Uint8Array;
  readonly profile: string;
  readonly crawlers: readonly NamedCrawler[];
  readonly normalize: boolean;
  readonly json: boolean;
}

interface Judging {
  readonly crawler: NamedCrawler;
  /** The name, safe to print. */
  readonly name: string;
  readonly judge: Judge;
  readonly json: JsonAnswers;
}

/** Decides about the URLs of a list. */
export class UrlListJudge implements LineJudge {
  readonly #source: Source;
  readonly #judges: readonly Judging[];
  readonly #json: boolean;

  constructor({ source, content, profile, crawlers, normalize, json }: UrlListJob) {
    const reading = { profile: findProfile(profile) as Profile };
    const options = source.url === undefined ? reading : { ...reading, url: source.url };
    const robots = parse(content, options);
    const { policy } = source;
    this.#source = {
      ...source,
      robots,
      policy: policy.kind === 'rules' ? { kind: 'rules', robots } : policy,
    };
    this.#judges = crawlers.map((crawler) => ({
      crawler,
      name: visible(crawler.name),
      judge: createUrlJudge(crawler, normalize),
      json: new JsonAnswers(crawler, this.#source),
    }));
    this.#json = json;
  }

  *judge(block: Block): Generator<ResultPiece> {
    let piece = new ResultPiece();
    for (const text of readTexts(block)) {
      if (typeof text !== 'string') {
        this.#fail(piece, text);
        continue;
      }
      // Most texts need no escaping, and no escapes in JSON.
      const isPlain = !/[^\n -~]/.test(text);
      const isPlainJson = this.#json && isPlain && !/["\\]/.test(text);
      for (let start = 0; start < text.length; ) {
        const found = text.indexOf('\n', start);
        const end = found < 0 ? text.length : found;
        const line = text.slice(start, end);
        const url = isPlain ? line.trim() : trimOuterSpace(line);
        start = end + 1;
        if (url === '') continue;
        const shown = isPlain ? url : visible(url);
        for (const judging of this.#judges) {
          this.#decide(judging, url, shown, isPlainJson, piece);
          if (piece.isFull) {
            yield piece;
            piece = new ResultPiece();
          }
        }
      }
    }
    yield piece;
  }

  #decide(
    { name, judge, json }: Judging,
    url: string,
    shown: string,
    isPlainJson: boolean,
    piece: ResultPiece,
  ): void {
    const verdict = judge(this.#source, url);
    const { kind } = verdict;
    if (this.#json)
      piece.add(kind === 'out-of-scope' ? 'failed' : kind, json.write(url, verdict, isPlainJson));
    else if (kind === 'out-of-scope') piece.add('failed', `no-answer\t-\t${name}\t${shown}`);
    else piece.add(kind, `${kind}\t${verdict.line || '-'}\t${name}\t${shown}`);
  }

  /** Adds an error for a line that cannot be read. */
  #fail(piece: ResultPiece, { code, message }: Unreadable): void {
    for (const { crawler, name } of this.#judges) {
      const answer = this.#json
        ? toJson(createErrorReport(null, crawler, this.#source, { code, message }))
        : `no-answer\t-\t${name}\t${visible(message)}`;
      piece.add('failed', answer);
    }
  }
}

/** White space that is trimmed from lines. Anything else is a part of the URL. */
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

/** Decodes a block at a time, which is much faster, or line by line if a line is not UTF-8. */
function* readTexts(block: Block): Generator<string | Unreadable> {
  if (block === undefined)
    yield { code: 'line-too-long', message: `a line longer than ${MAX_URL_BYTES} bytes` };
  else if (isUtf8(block)) yield block.toString();
  else {
    for (const line of splitLines(block)) {
      yield isUtf8(line)
        ? line.toString()
        : { code: 'invalid-utf8', message: `a line that is not UTF-8: ${line.toString()}` };
    }
  }
}
