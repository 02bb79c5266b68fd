/**
 * Questions in JSON, one a line, and their answers.
 *
 * Most lines repeat the file of an earlier line. The file, which is most of the line, is then recognised by its bytes, and only the rest of
 * the line is parsed as JSON. All other lines are parsed completely.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import type { Ruleset } from '@maycrawl/core';
import type { Block } from '../lines/line-reader.ts';
import { type JsonAnswer, toJsonAnswer, toJsonError } from '../reports/answer.ts';
import { toJson } from '../text/printable.ts';
import { FileCache, KnownFile } from './file-cache.ts';
import { FileFinder, type FilePlace } from './file-finder.ts';
import {
  checkFields,
  describeError,
  getCurrentName,
  invalidField,
  MAX_FIELD_CHARS,
  type Question,
  readCrawler,
  readDocument,
  readId,
  readQuestion,
  requireString,
  toCurrentNames,
} from './question.ts';
import { type LineJudge, ResultPiece } from './result-lines.ts';

const LF = 0x0a;

type Answer = JsonAnswer | { readonly error: { readonly code: string; readonly message: string } };

/** A serialized result, without a line end. */
interface WrittenAnswer {
  readonly json: string;
  /** `null` for an error. */
  readonly allowed: boolean | null;
}

/** Answers questions, with a cache of files. */
export class QuestionJudge implements LineJudge {
  /** Number of questions whose file was recognised by its bytes. */
  recognised = 0;
  readonly #cache: FileCache = new FileCache();

  *judge(block: Block): Generator<ResultPiece> {
    if (block === undefined) {
      const piece = new ResultPiece();
      addAnswer(piece, this.#answerInFull(undefined));
      yield piece;
      return;
    }
    const files = new FileFinder(block);
    for (let start = 0; start < block.length; ) {
      const piece = new ResultPiece();
      start = this.#fill(piece, block, files, start);
      yield piece;
    }
  }

  /** Answers the lines from `start` on until a piece is full. @returns where the next line starts. */
  #fill(piece: ResultPiece, block: Buffer, files: FileFinder, start: number): number {
    let from = start;
    while (from < block.length && !piece.isFull) {
      const found = block.indexOf(LF, from);
      const end = found < 0 ? block.length : found;
      if (!isBlank(block, from, end)) {
        const place = files.find(from, end);
        const known = place && this.#answerKnown(block, from, end, place);
        addAnswer(piece, known ?? this.#answerInFull(block.subarray(from, end)));
      }
      from = end + 1;
    }
    return from;
  }

  /** Answers a question about a cached file. Returns `undefined` if it is not cached, or the question has an unusual form. */
  #answerKnown(block: Buffer, start: number, end: number, place: FilePlace): WrittenAnswer | undefined {
    // Unusually long besides the file.
    if (end - start - (place.end - place.start) > MAX_FIELD_CHARS) return undefined;
    const file = this.#cache.find(block, place.start, place.end);
    if (file === undefined) return undefined;
    const rest = readRest(block, start, end, place);
    // The placeholder proves that the file is the value of the field, not a part of another value.
    if (rest?.[place.field] !== PLACEHOLDER) return undefined;
    const question = toCurrentNames(rest);
    if (question === undefined) return undefined;
    const { id, url, normalize = true } = question;
    const known = file.find(tryRulesetKey(question));
    if (known === undefined || typeof url !== 'string' || typeof normalize !== 'boolean') return undefined;
    // Any other id is unusual.
    if (id !== undefined && !Number.isSafeInteger(id) && typeof id !== 'string') return undefined;
    const verdict = known.ruleset.decide(url, { normalize });
    if (verdict.kind === 'out-of-scope') return undefined;
    this.recognised++;
    // The line of the file determines the rest of the result.
    let answer = known.answers.get(verdict.line);
    if (answer === undefined) {
      answer = toJson(toJsonAnswer(verdict)).slice(1);
      known.answers.set(verdict.line, answer);
    }
    const json = id === undefined ? `{${answer}` : `{"id":${toJson(id)},${answer}`;
    return { json, allowed: verdict.allowed };
  }

  /** Answers one line, with the `id` of the question if it has one. */
  #answerInFull(line: Buffer | undefined): WrittenAnswer {
    let id: { readonly id?: unknown } = {};
    try {
      const written = readQuestion(line);
      id = readId(written);
      const question = toCurrentNames(written);
      if (question === undefined)
        throw invalidField('robotsBase64', 'or "robotsUrl" is also given by its former name');
      checkFields(question);
      const answer = this.#answerQuestion(question, line as Buffer);
      return { json: toJson({ ...id, ...answer }), allowed: 'error' in answer ? null : answer.allowed };
    } catch (cause) {
      const error = describeError(cause);
      try {
        return { json: toJson({ ...id, error }), allowed: null };
      } catch {
        // The id is nested too deeply for JSON.stringify.
        return { json: toJson({ error }), allowed: null };
      }
    }
  }

  #answerQuestion(question: Question, line: Buffer): Answer {
    const url = requireString(question, 'url');
    const normalize = question['normalize'] ?? true;
    if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
    const ruleset =
      this.#getCachedRuleset(question, line) ?? readDocument(question).ruleset(readCrawler(question));
    const verdict = ruleset.decide(url, { normalize });
    return verdict.kind === 'out-of-scope' ? { error: toJsonError(verdict) } : toJsonAnswer(verdict);
  }

  /** Returns the ruleset for a question, and caches it. Returns `undefined` if the file does not have the usual form. */
  #getCachedRuleset(question: Question, line: Buffer): Ruleset | undefined {
    const place = new FileFinder(line).find(0, line.length);
    if (place === undefined) return undefined;
    const written = line.subarray(place.start, place.end);
    const found = JSON.parse(`{${written.toString()}}`) as Question;
    if (question[getCurrentName(place.field)] !== found[place.field]) return undefined;
    // A copy, because the line is a part of a larger buffer, which would stay in memory.
    const file = this.#cache.find(line, place.start, place.end) ?? new KnownFile(Buffer.from(written));
    const { ruleset } = file.compile(
      toRulesetKey(question),
      toReadingKey(question),
      () => readDocument(question),
      readCrawler(question),
    );
    this.#cache.add(file);
    return ruleset;
  }
}

function addAnswer(piece: ResultPiece, { json, allowed }: WrittenAnswer): void {
  piece.add(allowed === null ? 'failed' : allowed ? 'allowed' : 'disallowed', json);
}

function isBlank(block: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = block[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}

/** Replaces the file in a line. Random, so no line can contain it. */
const PLACEHOLDER: string = randomUUID();

/** Parses a line without its file. Returns `undefined` if the rest is not JSON. */
function readRest(block: Buffer, start: number, end: number, place: FilePlace): Question | undefined {
  const before = block.toString('utf8', start, place.start);
  const after = block.toString('utf8', place.end, end);
  // U+FFFD replaces invalid UTF-8.
  if (before.includes('\ufffd') || after.includes('\ufffd')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(`${before}"${place.field}":"${PLACEHOLDER}"${after}`);
  } catch {
    // Parsing the whole line finds the error.
    return undefined;
  }
  return value === null ? undefined : (value as Question);
}

/** Like {@link toRulesetKey}; empty, which is no key, if a field is nested too deeply. */
function tryRulesetKey(question: Question): string {
  try {
    return toRulesetKey(question);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** Returns the key of the ruleset of a question among those of the same file. */
function toRulesetKey(question: Question): string {
  const { robots, robotsBase64, agent, agents, crawler, profile, robotsUrl } = question;
  const isUsual =
    crawler === undefined && agents === undefined && profile === undefined && robotsUrl === undefined;
  if (isUsual && typeof agent === 'string' && (robots === undefined) !== (robotsBase64 === undefined))
    return `a${agent}`;
  // An object, because in a list a missing field would equal `null`, which is an error.
  return JSON.stringify({ agent, agents, crawler, reading: toReadingKey(question) });
}

/** Returns the key of the document of a question among those of the same file. */
function toReadingKey({ robots, robotsBase64, profile, robotsUrl }: Question): string {
  return JSON.stringify({ robots: typeof robots, base64: typeof robotsBase64, profile, robotsUrl });
}
