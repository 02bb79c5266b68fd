// Questions in JSON, one a line, and their answers.
import { decide, parse } from '@maycrawl/core';
import { type Block, splitLines } from '../lines/line-reader.ts';
import { toJsonAnswer, toJsonError } from '../reports/answer.ts';
import { toJson } from '../text/printable.ts';
import { readPreference, readPurpose } from './preference.ts';
import {
  checkFields,
  describeError,
  invalidField,
  type Question,
  readContent,
  readCrawler,
  readFileOptions,
  readId,
  readQuestion,
  requireString,
} from './question.ts';
import { type LineJudge, ResultPiece } from './result-lines.ts';

/** A result in JSON without the `id` of its question. */
interface Result {
  readonly json: string;
  /** `null` for an error. */
  readonly allowed: boolean | null;
}

/** Answers questions. */
export class QuestionJudge implements LineJudge {
  *judge(block: Block): Generator<ResultPiece> {
    let piece = new ResultPiece();
    for (const line of block === undefined ? [undefined] : splitLines(block)) {
      if (line !== undefined && isBlank(line)) continue;
      addResult(piece, line);
      if (!piece.isFull) continue;
      yield piece;
      piece = new ResultPiece();
    }
    yield piece;
  }
}

/** Adds the result of one line, with the `id` of the question if it has one. */
function addResult(piece: ResultPiece, line: Buffer | undefined): void {
  let id: unknown;
  let result: Result;
  try {
    const question = readQuestion(line);
    id = readId(question);
    result = answer(question);
  } catch (cause) {
    result = { allowed: null, json: toJson({ error: describeError(cause) }) };
  }
  const { allowed, json } = result;
  const kind = allowed === null ? 'failed' : allowed ? 'allowed' : 'disallowed';
  piece.add(kind, id === undefined ? json : `{"id":${toJson(id)},${json.slice(1)}`);
}

/** Answers a question. A file is decided in one pass: most inputs have another file in each line. */
function answer(written: Question): Result {
  const question = checkFields(written);
  const url = requireString(question, 'url');
  const normalize = readNormalize(question);
  const content = readContent(question);
  const options = readFileOptions(question);
  const crawler = readCrawler(question);
  const purpose = readPurpose(question);
  const verdict = decide(content, crawler, url, { ...options, normalize });
  if (verdict.kind === 'out-of-scope')
    return { allowed: null, json: toJson({ error: toJsonError(verdict) }) };
  const { allowed } = verdict;
  if (purpose === undefined) return { allowed, json: toJson(toJsonAnswer(verdict)) };
  const preference = readPreference(parse(content, options), crawler, url, purpose);
  return { allowed, json: toJson({ ...toJsonAnswer(verdict), preference }) };
}

function readNormalize(question: Question): boolean {
  const normalize = question.normalize ?? true;
  if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
  return normalize;
}

function isBlank(line: Buffer): boolean {
  let at = 0;
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at++;
  return at === line.length;
}
