/**
 * `maycrawl/batch`: verdicts about many lines, in JSON or with URLs.
 *
 * @module
 */

import { findProfile, resolveAgent } from '@maycrawl/core';
import { checkOptions, quoteValue, requireStrings } from '@maycrawl/core/internal';
import type { Job } from './batch/job.ts';
import { judgeJob, type ReadingOptions } from './batch/judge-lines.ts';
import type { ResultLines } from './batch/result-lines.ts';

export type { ReadingOptions } from './batch/judge-lines.ts';
export type { Counts, ResultLines } from './batch/result-lines.ts';

/** A list of URLs, and what decides about them. */
export interface UrlListOptions {
  /** The robots.txt that decides. */
  readonly robots: string | Uint8Array;
  /** Crawlers or product tokens: each line has a result for each of them. @defaultValue `['Googlebot']` */
  readonly agents?: readonly string[];
  /** The name of a profile. @defaultValue `'google'` */
  readonly profile?: string;
  /** Whether URLs are matched in the form of a request. @defaultValue `true` */
  readonly normalize?: boolean;
  /** JSON, or text with tabs: verdict, line of the rule, crawler, URL. @defaultValue `'json'` */
  readonly format?: 'json' | 'text';
}

/** How lines are judged. */
export interface JudgeLinesOptions extends ReadingOptions {
  /** The lines are URLs or paths. Without it each line is JSON, as `maycrawl batch` reads it. */
  readonly urls?: UrlListOptions;
}

/**
 * Judges each line of a stream: whether a crawler may fetch a URL. Yields the results as lines in the same order; a line that cannot be
 * judged has an error as its result. Lines are judged as they come; when they are many, threads judge them.
 *
 * @example
 * ```js
 * import { judgeLines } from 'maycrawl/batch';
 *
 * const line = { robots: 'User-agent: *\nDisallow: /private', agent: 'Googlebot', url: '/private/x' };
 * for await (const { bytes, disallowed } of judgeLines([Buffer.from(JSON.stringify(line))])) {
 *   console.log(disallowed, Buffer.from(bytes).toString());
 * }
 * ```
 *
 * @param input - bytes in UTF-8, such as a stream of a file.
 * @throws {TypeError} for a value of a wrong type.
 * @throws {RangeError} for an agent, a profile or a format that does not exist.
 * @throws what the input throws.
 */
export function judgeLines(
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: JudgeLinesOptions = {},
): AsyncGenerator<ResultLines> {
  checkOptions<JudgeLinesOptions>('judgeLines', options, {
    ...{ urls: 'object', signal: 'object', onRead: 'function' },
  });
  // The elements of a string are characters, and those of an array of bytes are numbers.
  if (typeof input !== 'object' || input === null || ArrayBuffer.isView(input) || !isIterable(input))
    throw new TypeError(`judgeLines: the input must be an iterable of bytes, not ${quoteValue(input)}`);
  const { urls, ...reading } = options;
  return judgeJob(toAsync(input), urls === undefined ? { kind: 'json-lines' } : toJob(urls), reading);
}

function toJob(options: UrlListOptions): Job {
  checkOptions<UrlListOptions>(
    'urls of judgeLines',
    options,
    {
      ...{ robots: ['string', 'object'], agents: 'array', profile: 'string', normalize: 'boolean' },
      format: 'string',
    },
    ['robots'],
  );
  const { robots, agents = ['Googlebot'], profile = 'google', normalize = true, format = 'json' } = options;
  if (typeof robots !== 'string' && !(robots instanceof Uint8Array))
    throw new TypeError(`urls of judgeLines: robots must be text or bytes, not ${quoteValue(robots)}`);
  requireStrings('urls of judgeLines: agents', agents);
  if (format !== 'json' && format !== 'text')
    throw new RangeError(`urls of judgeLines: format must be json or text, not ${quoteValue(format)}`);
  if (findProfile(profile) === undefined) throw new RangeError(`there is no profile "${profile}"`);
  return {
    kind: 'urls',
    source: { name: 'robots.txt', policy: { kind: 'rules' }, hops: [] },
    content: typeof robots === 'string' ? Buffer.from(robots) : robots,
    crawlers: agents.map(resolveAgent),
    ...{ profile, normalize, json: format === 'json' },
  };
}

function isIterable(input: object): boolean {
  return Symbol.asyncIterator in input || Symbol.iterator in input;
}

async function* toAsync<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
