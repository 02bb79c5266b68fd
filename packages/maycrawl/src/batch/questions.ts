/**
 * Questions in JSON, one a line, and their answers.
 *
 * A file is decided in one pass when it is seen first. A file that comes again is recognized by its bytes in the line; it has a cached ruleset and
 * is not decoded again.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer';
import { type CrawlerInput, type DecideOptions, decide, parse } from '@maycrawl/core';
import { type Block, splitLines } from '../lines/line-reader.ts';
import { type Answered, toJsonAnswer, toJsonError } from '../reports/answer.ts';
import { toJson } from '../text/printable.ts';
import { CachedFile, type CachedRuleset, FileCache, hashSample } from './file-cache.ts';
import { FileDecoder } from './file-decoder.ts';
import { readPreference, readPurpose } from './preference.ts';
import {
  checkFields,
  describeError,
  type FileOptions,
  invalidField,
  type Question,
  readContent,
  readCrawler,
  readFileOptions,
  readId,
  readQuestion,
  requireString,
} from './question.ts';
import { scanQuestion, type UsualQuestion } from './question-scanner.ts';
import { type LineJudge, ResultPiece } from './result-lines.ts';

/** A result in JSON, after `id`: without the opening brace and the line end. */
interface WrittenAnswer {
  readonly json: string;
  /** `null` for an error. */
  readonly allowed: boolean | null;
}

/** Answers questions, with a cache of files. */
export class QuestionJudge implements LineJudge {
  /** Number of questions in the usual form, which are read without JSON.parse. */
  scanned = 0;
  /** Number of questions whose file was recognized by its bytes. */
  recognized = 0;
  readonly #cache: FileCache = new FileCache();
  readonly #decoder: FileDecoder = new FileDecoder();

  *judge(block: Block): Generator<ResultPiece> {
    let piece = new ResultPiece();
    for (const line of block === undefined ? [undefined] : splitLines(block)) {
      if (line !== undefined && isBlank(line)) continue;
      this.#addAnswer(piece, line, line && isUtf8(line) ? scanQuestion(line) : undefined);
      if (!piece.isFull) continue;
      yield piece;
      piece = new ResultPiece();
    }
    yield piece;
  }

  /**
   * Answers one line, with the `id` of the question if it has one.
   *
   * @param usual - the question, if the line has the usual form.
   */
  #addAnswer(piece: ResultPiece, line: Buffer | undefined, usual: UsualQuestion | undefined): void {
    let start = '{';
    let answer: WrittenAnswer;
    try {
      const question = usual ?? readQuestion(line);
      const { id } = readId(question);
      if (id !== undefined) start = `{"id":${typeof id === 'number' ? id : toJson(id)},`;
      answer = line && usual ? this.#answerUsual(line, usual) : answerParsed(question);
    } catch (cause) {
      // JSON.parse reads the whole line first, so it may find another error.
      if (usual !== undefined) {
        this.#addAnswer(piece, line, undefined);
        return;
      }
      answer = { json: toJson({ error: describeError(cause) }).slice(1), allowed: null };
    }
    const { json, allowed } = answer;
    piece.add(allowed === null ? 'failed' : allowed ? 'allowed' : 'disallowed', start + json);
  }

  #answerUsual(line: Buffer, question: UsualQuestion): WrittenAnswer {
    this.scanned++;
    const url = requireString(question, 'url');
    const normalize = readNormalize(question);
    const written = line.subarray(question.fileStart, question.fileEnd);
    const key = toRulesetKey(question);
    const sample = hashSample(written);
    const file = this.#cache.find(written, sample);
    const cached = file?.find(key);
    if (cached !== undefined) {
      this.recognized++;
      return answerByRuleset(cached, url, normalize);
    }
    const bytes = this.#decoder.decode(line, question);
    // A very long file, or one that is not valid.
    if (bytes === undefined) return answerParsed(readQuestion(line));
    const options = readFileOptions(question);
    const crawler = readCrawler(question);
    if (file === undefined && !this.#cache.isWorthAdding(written, sample))
      return answerInOnePass(bytes, crawler, url, normalize ? options : { ...options, normalize });
    // A copy, because the line is a part of a larger buffer, which would stay in memory.
    const added = file ?? new CachedFile(Buffer.from(written));
    const ruleset = added.compile(key, toReadingKey(question), () => parse(bytes, options), crawler);
    this.#cache.add(added);
    return answerByRuleset(ruleset, url, normalize);
  }
}

/** Answers a question that JSON.parse has read. */
function answerParsed(written: Question): WrittenAnswer {
  const question = checkFields(written);
  const url = requireString(question, 'url');
  const normalize = readNormalize(question);
  const content = readContent(question);
  const options = readFileOptions(question);
  const crawler = readCrawler(question);
  const purpose = readPurpose(question);
  const answer = answerInOnePass(content, crawler, url, { ...options, normalize });
  if (purpose === undefined || answer.allowed === null) return answer;
  const preference = readPreference(parse(content, options), crawler, url, purpose);
  return { ...answer, json: `${answer.json.slice(0, -1)},"preference":${toJson(preference)}}` };
}

function readNormalize(question: Question): boolean {
  const normalize = question.normalize ?? true;
  if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
  return normalize;
}

function answerInOnePass(
  bytes: Uint8Array,
  crawler: CrawlerInput,
  url: string,
  options: FileOptions & DecideOptions,
): WrittenAnswer {
  const verdict = decide(bytes, crawler, url, options);
  if (verdict.kind === 'out-of-scope') return writeError(toJsonError(verdict));
  const { allowed, line, groupKind } = verdict;
  return { json: line === 0 ? ANSWERS_WITHOUT_RULE[groupKind] : writeAnswer(verdict), allowed };
}

const ANSWERS_WITHOUT_RULE: Readonly<Record<Answered['groupKind'], string>> = {
  own: writeAnswerWithoutRule('own'),
  fallback: writeAnswerWithoutRule('fallback'),
  global: writeAnswerWithoutRule('global'),
  none: writeAnswerWithoutRule('none'),
};

function writeAnswerWithoutRule(groupKind: Answered['groupKind']): string {
  return writeAnswer({ allowed: true, line: 0, groupKind, rule: null });
}

function answerByRuleset(
  { ruleset, answers }: CachedRuleset,
  url: string,
  normalize: boolean,
): WrittenAnswer {
  const verdict = ruleset.decide(url, { normalize });
  if (verdict.kind === 'out-of-scope') return writeError(toJsonError(verdict));
  // The line of the file determines the rest of the result.
  let json = answers.get(verdict.line);
  if (json === undefined) {
    json = writeAnswer(verdict);
    answers.set(verdict.line, json);
  }
  return { json, allowed: verdict.allowed };
}

function writeAnswer(verdict: Answered): string {
  return toJson(toJsonAnswer(verdict)).slice(1);
}

function writeError(error: { readonly code: string; readonly message: string }): WrittenAnswer {
  return { json: toJson({ error }).slice(1), allowed: null };
}

function isBlank(line: Buffer): boolean {
  let at = 0;
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at++;
  return at === line.length;
}

/** Returns the key of the ruleset of a question among those of the same file. */
function toRulesetKey(question: UsualQuestion): string {
  const { agent, agents, crawler, profile, robotsUrl, robots } = question;
  const isPlain =
    crawler === undefined && agents === undefined && profile === undefined && robotsUrl === undefined;
  if (isPlain && typeof agent === 'string') return robots === undefined ? `b${agent}` : `t${agent}`;
  return JSON.stringify({ agent, agents, crawler, reading: toReadingKey(question) });
}

/** Returns the key of the document of a question among those of the same file. */
function toReadingKey({ robots, profile, robotsUrl }: UsualQuestion): string {
  return JSON.stringify({ robots, profile, robotsUrl });
}
