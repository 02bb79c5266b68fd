// Verdicts about the lines of a list of URLs.
import { isUtf8 } from 'node:buffer';
import { findProfile, type PolicySummary, type Profile, parse } from '@maycrawl/core';
import { type Block, splitLines } from '../lines/line-reader.ts';
import { toJson, visible } from '../text/printable.ts';
import { JsonResults } from './json-results.ts';
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
  readonly json: JsonResults;
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
      json: new JsonResults(crawler, this.#source),
    }));
    this.#json = json;
  }

  *judge(block: Block): Generator<ResultPiece> {
    let piece = new ResultPiece();
    for (const line of block === undefined ? [undefined] : splitLines(block)) {
      const problem = findProblem(line);
      const url = trimOuterSpace(line?.toString() ?? '');
      if (url === '' && problem === undefined) continue;
      for (const judging of this.#judges) {
        if (problem === undefined) this.#decide(judging, url, piece);
        else this.#fail(judging, problem, piece);
        if (!piece.isFull) continue;
        yield piece;
        piece = new ResultPiece();
      }
    }
    yield piece;
  }

  #decide({ name, judge, json }: Judging, url: string, piece: ResultPiece): void {
    const verdict = judge(this.#source, url);
    const kind = verdict.kind === 'out-of-scope' ? 'failed' : verdict.kind;
    if (this.#json) piece.add(kind, json.write(url, verdict));
    else if (verdict.kind === 'out-of-scope') piece.add(kind, `no-answer\t-\t${name}\t${visible(url)}`);
    else piece.add(kind, `${kind}\t${verdict.line || '-'}\t${name}\t${visible(url)}`);
  }

  /** Adds an error for a line that cannot be read. */
  #fail({ crawler, name }: Judging, problem: Unreadable, piece: ResultPiece): void {
    const result = this.#json
      ? toJson(createErrorReport(null, crawler, this.#source, problem))
      : `no-answer\t-\t${name}\t${visible(problem.message)}`;
    piece.add('failed', result);
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

/** Finds out why a line cannot be read; `undefined` stands for one that was too long. */
function findProblem(line: Buffer | undefined): Unreadable | undefined {
  if (line === undefined)
    return { code: 'line-too-long', message: `a line longer than ${MAX_URL_BYTES} bytes` };
  if (isUtf8(line)) return undefined;
  return { code: 'invalid-utf8', message: `a line that is not UTF-8: ${line.toString()}` };
}
