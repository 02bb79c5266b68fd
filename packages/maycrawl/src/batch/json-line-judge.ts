// Lines in JSON, and their results.
import { decide, parse } from '@maycrawl/core';
import { type Block, splitLines } from '../lines/line-reader.ts';
import { toJsonError, toJsonVerdict } from '../reports/json-verdict.ts';
import { toJson } from '../text/printable.ts';
import {
  checkFields,
  describeError,
  invalidField,
  type JsonLine,
  readContent,
  readCrawler,
  readFileOptions,
  readId,
  readJsonLine,
  requireString,
} from './json-line.ts';
import { readPreference, readPurpose } from './preference.ts';
import { type LineJudge, ResultPiece } from './result-lines.ts';

/** A result in JSON without the `id` of its line. */
interface Result {
  readonly json: string;
  /** `null` for an error. */
  readonly allowed: boolean | null;
}

/** Judges lines in JSON. */
export class JsonLineJudge implements LineJudge {
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

/** Adds the result of one line, with the `id` of the line if it has one. */
function addResult(piece: ResultPiece, bytes: Buffer | undefined): void {
  let id: unknown;
  let result: Result;
  try {
    const line = readJsonLine(bytes);
    id = readId(line);
    result = judgeLine(line);
  } catch (cause) {
    result = { allowed: null, json: toJson({ error: describeError(cause) }) };
  }
  const { allowed, json } = result;
  const kind = allowed === null ? 'failed' : allowed ? 'allowed' : 'disallowed';
  piece.add(kind, id === undefined ? json : `{"id":${toJson(id)},${json.slice(1)}`);
}

/** Judges a line. A file is decided in one pass: most inputs have another file in each line. */
function judgeLine(written: JsonLine): Result {
  const line = checkFields(written);
  const url = requireString(line, 'url');
  const normalize = readNormalize(line);
  const content = readContent(line);
  const options = readFileOptions(line);
  const crawler = readCrawler(line);
  const purpose = readPurpose(line);
  const verdict = decide(content, crawler, url, { ...options, normalize });
  if (verdict.kind === 'out-of-scope')
    return { allowed: null, json: toJson({ error: toJsonError(verdict) }) };
  const { allowed } = verdict;
  if (purpose === undefined) return { allowed, json: toJson(toJsonVerdict(verdict)) };
  const preference = readPreference(parse(content, options), crawler, url, purpose);
  return { allowed, json: toJson({ ...toJsonVerdict(verdict), preference }) };
}

function readNormalize(line: JsonLine): boolean {
  const normalize = line.normalize ?? true;
  if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
  return normalize;
}

function isBlank(line: Buffer): boolean {
  let at = 0;
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at++;
  return at === line.length;
}
