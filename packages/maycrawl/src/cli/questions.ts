/**
 * Questions in JSON, one a line, and their answers.
 *
 * Most lines ask about a file that was asked about before. Then the file, which is nearly all of the line, is recognised as
 * it is written, and only the rest of the line is read as JSON. All other lines are read in full.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  type CrawlerLike,
  findCrawler,
  findProfile,
  type ParseOptions,
  parse,
  type Ruleset,
} from '@maycrawl/core';
import { answerOf, errorOf, type JsonAnswer } from './answer.ts';
import type { Answered, LineAnswerer } from './line-answerer.ts';
import type { Block } from './line-reader.ts';
import { RulesetCache } from './ruleset-cache.ts';
import { toJson } from './terminal.ts';

/** Room for 10 MB of robots.txt in which JSON escapes every byte, and some more. */
export const MAX_QUESTION_BYTES: number = 64 * 1024 * 1024;

type Answer = JsonAnswer | { readonly error: { readonly code: string; readonly message: string } };

/** What is wrong with a question. */
class QuestionError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** An answer as it is written, without its line end. */
interface WrittenAnswer {
  readonly json: string;
  /** `null` for an error. */
  readonly allowed: boolean | null;
}

/** Answers questions. It remembers what it was asked about last. */
export class QuestionAnswerer implements LineAnswerer {
  /** How many questions were about a file that was recognised as it is written. */
  recognised = 0;
  readonly #cache: RulesetCache = new RulesetCache();

  answer(block: Block): Answered {
    let text = '';
    const counts = { allowed: 0, disallowed: 0, failed: 0 };
    const count = ({ json, allowed }: WrittenAnswer): void => {
      text += `${json}\n`;
      counts[allowed === null ? 'failed' : allowed ? 'allowed' : 'disallowed']++;
    };
    if (block === undefined) count(this.#answerInFull(undefined));
    else {
      const files = new FileFinder(block);
      for (let start = 0; start < block.length; ) {
        const found = block.indexOf(LF, start);
        const end = found < 0 ? block.length : found;
        if (!isBlank(block, start, end)) {
          const place = files.find(start, end);
          const known = place && this.#answerKnown(block, start, end, place);
          count(known ?? this.#answerInFull(block.subarray(start, end)));
        }
        start = end + 1;
      }
    }
    return { text, ...counts };
  }

  /** Answers a question about a file that is known; `undefined` if it is not, or for whatever is not as usual. */
  #answerKnown(block: Buffer, start: number, end: number, place: FilePlace): WrittenAnswer | undefined {
    const rulesets = this.#cache.find(block, place.start, place.end);
    if (rulesets === undefined) return undefined;
    const question = readRest(block, start, end, place);
    // That it is this file which the question is about, and no other on the same line, shows in the stand-in.
    if (question?.[place.field] !== STAND_IN) return undefined;
    const { id, url, normalize = true } = question;
    const known = rulesets.get(askedInFewLevels(question));
    if (known === undefined || typeof url !== 'string' || typeof normalize !== 'boolean') return undefined;
    // Whatever else an id is, is not usual.
    if (id !== undefined && typeof id !== 'number' && typeof id !== 'string') return undefined;
    const verdict = known.ruleset.decide(url, { normalize });
    if (verdict.kind === 'out-of-scope') return undefined;
    this.recognised++;
    // Whatever decides, it stands on that line of the file.
    let answer = known.answers.get(verdict.line);
    if (answer === undefined) {
      answer = toJson(answerOf(verdict)).slice(1);
      known.answers.set(verdict.line, answer);
    }
    const json = id === undefined ? `{${answer}` : `{"id":${toJson(id)},${answer}`;
    return { json, allowed: verdict.allowed };
  }

  /** Answers one line, with the `id` of the question if it has one. */
  #answerInFull(line: Buffer | undefined): WrittenAnswer {
    let id: { id?: unknown } = {};
    try {
      const question = readObject(line);
      if (question['id'] !== undefined) id = { id: question['id'] };
      const answer = this.#answerQuestion(question, line as Buffer);
      return { json: toJson({ ...id, ...answer }), allowed: 'error' in answer ? null : answer.allowed };
    } catch (cause) {
      const error = describeError(cause);
      try {
        return { json: toJson({ ...id, error }), allowed: null };
      } catch {
        // An id nested too deeply to be written.
        return { json: toJson({ error }), allowed: null };
      }
    }
  }

  #answerQuestion(question: Question, line: Buffer): Answer {
    const url = requireString(question, 'url');
    const normalize = question['normalize'] ?? true;
    if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
    const ruleset = rulesetOf(question);
    const place = new FileFinder(line).find(0, line.length);
    if (place !== undefined) {
      const written = line.subarray(place.start, place.end);
      const file = JSON.parse(`{${written.toString()}}`) as Question;
      if (question[place.field] === file[place.field]) this.#cache.keep(written, askedBy(question), ruleset);
    }
    const verdict = ruleset.decide(url, { normalize });
    return verdict.kind === 'out-of-scope' ? { error: errorOf(verdict) } : answerOf(verdict);
  }
}

function isBlank(block: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = block[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}

/** Where the file stands in a block: its field and value, quotes included. */
interface FilePlace {
  readonly field: 'robots' | 'robots_base64';
  readonly start: number;
  readonly end: number;
}

const FIELD_START: Buffer = Buffer.from('"robots');
const LF = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Finds where files seem to stand in lines, one line after another. */
class FileFinder {
  readonly #block: Buffer;
  /** Where the next field starts whose name begins as it must. It is sought once, also where lines have none. */
  #next = -1;

  constructor(block: Buffer) {
    this.#block = block;
  }

  /**
   * Where a file seems to stand in the line from `start` to `end`, which is behind all lines before. It may stand inside of
   * something else: who asks must make sure.
   */
  find(start: number, end: number): FilePlace | undefined {
    const block = this.#block;
    if (this.#next < start) this.#seek(start);
    for (; this.#next < end; this.#seek(this.#next + 1)) {
      const field = this.#next;
      let at = field + FIELD_START.length;
      const isBase64 = block[at] !== QUOTE;
      if (isBase64) {
        if (block.toString('latin1', at, at + 7) !== '_base64') continue;
        at += 7;
      }
      if (block[at] !== QUOTE) continue;
      at = skipSpaces(block, at + 1);
      if (block[at] !== COLON) continue;
      at = skipSpaces(block, at + 1);
      if (block[at] !== QUOTE) continue;
      const valueEnd = endOfString(block, at + 1);
      if (valueEnd < 0 || valueEnd > end) return undefined;
      return { field: isBase64 ? 'robots_base64' : 'robots', start: field, end: valueEnd };
    }
    return undefined;
  }

  #seek(from: number): void {
    const found = this.#block.indexOf(FIELD_START, from);
    this.#next = found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}

function skipSpaces(line: Buffer, from: number): number {
  let at = from;
  while (line[at] === 0x20 || line[at] === 0x09) at++;
  return at;
}

/** Behind the quote that ends a JSON string; -1 if none does. */
function endOfString(line: Buffer, from: number): number {
  for (let quote = line.indexOf(QUOTE, from); quote >= 0; quote = line.indexOf(QUOTE, quote + 1)) {
    let escapes = quote;
    while (escapes > from && line[escapes - 1] === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return -1;
}

/** Stands where the file stood. Nobody can know it and write it into a line. */
const STAND_IN: string = randomUUID();

/** A line without its file; `undefined` if the rest is no JSON object. */
function readRest(block: Buffer, start: number, end: number, place: FilePlace): Question | undefined {
  const before = block.toString('utf8', start, place.start);
  const after = block.toString('utf8', place.end, end);
  // Bytes that are no UTF-8 have become this.
  if (before.includes('\ufffd') || after.includes('\ufffd')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(`${before}"${place.field}":"${STAND_IN}"${after}`);
  } catch {
    // Reading the whole line tells what is wrong with it.
    return undefined;
  }
  return value === null ? undefined : (value as Question);
}

/** The same; something that no one asks where a field is nested too deeply to be written. */
function askedInFewLevels(question: Question): string {
  try {
    return askedBy(question);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** Who asks, and how: with the same file, the same text means the same ruleset. */
function askedBy(question: Question): string {
  const { robots, robots_base64, agent, agents, crawler, profile, robots_url } = question;
  const isUsual =
    crawler === undefined && agents === undefined && profile === undefined && robots_url === undefined;
  if (isUsual && typeof agent === 'string' && (robots === undefined) !== (robots_base64 === undefined))
    return `a${agent}`;
  const kinds = [typeof robots, typeof robots_base64];
  return JSON.stringify([kinds, agent, agents, crawler, profile, robots_url]);
}

function describeError(cause: unknown): { code: string; message: string } {
  if (cause instanceof QuestionError) return { code: cause.code, message: cause.message };
  // The only thing that JSON.stringify throws for what JSON.parse has read.
  if (cause instanceof RangeError) return { code: 'invalid-json', message: 'the line is nested too deeply' };
  throw cause;
}

type Question = Readonly<Record<string, unknown>>;

function readObject(line: Buffer | undefined): Question {
  if (line === undefined) {
    throw new QuestionError('line-too-long', `the line is longer than ${MAX_QUESTION_BYTES} bytes`);
  }
  if (!isUtf8(line)) {
    throw new QuestionError(
      'invalid-utf8',
      'the line is not UTF-8; give a robots.txt that is not as "robots_base64"',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch (error) {
    throw new QuestionError('invalid-json', `the line is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new QuestionError('invalid-json', 'the line is not a JSON object');
  }
  return value as Question;
}

function rulesetOf(question: Question): Ruleset {
  const robots = parse(contentOf(question), optionsOf(question));
  const { scope } = robots;
  if (scope !== undefined && 'outOfScope' in scope && scope.outOfScope !== 'not-a-robots-txt-url') {
    throw invalidField('robots_url', 'is no absolute http, https or ftp URL');
  }
  return robots.ruleset(crawlerOf(question));
}

function optionsOf(question: Question): ParseOptions {
  const name = question['profile'] === undefined ? 'google' : requireString(question, 'profile');
  const profile = findProfile(name);
  if (profile === undefined)
    throw new QuestionError('unknown-profile', `there is no profile ${JSON.stringify(name)}`);
  return question['robots_url'] === undefined
    ? { profile }
    : { profile, url: requireString(question, 'robots_url') };
}

function contentOf(question: Question): Uint8Array | string {
  if (question['robots'] !== undefined && question['robots_base64'] !== undefined) {
    throw invalidField('robots', 'and "robots_base64" exclude each other');
  }
  if (question['robots_base64'] === undefined) return requireString(question, 'robots');
  const base64 = requireString(question, 'robots_base64');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw invalidField('robots_base64', 'is not base64');
  }
  return Buffer.from(base64, 'base64');
}

/** The crawler: a product token, several of which each counts, or one of the catalogue with its fallbacks. */
function crawlerOf(question: Question): CrawlerLike {
  const given = ['agents', 'agent', 'crawler'].filter((field) => question[field] !== undefined);
  if (given.length !== 1) throw invalidField('agents', '"agent" or "crawler": give exactly one of them');
  if (question['crawler'] !== undefined) {
    const name = requireString(question, 'crawler');
    const crawler = findCrawler(name);
    if (crawler === undefined) {
      throw new QuestionError('unknown-crawler', `the catalogue has no crawler ${JSON.stringify(name)}`);
    }
    return crawler;
  }
  const agents = question['agents'] ?? [question['agent']];
  const isName = (name: unknown): boolean => typeof name === 'string' && name !== '';
  if (!Array.isArray(agents) || agents.length === 0 || !agents.every(isName)) {
    throw invalidField(given[0] as string, 'must be names of crawlers that are not empty');
  }
  return agents as string[];
}

function requireString(question: Question, field: string): string {
  const value = question[field];
  if (typeof value !== 'string')
    throw invalidField(field, value === undefined ? 'is missing' : 'is not a string');
  return value;
}

function invalidField(field: string, problem: string): QuestionError {
  return new QuestionError('invalid-field', `"${field}" ${problem}`);
}
