/**
 * The answer to a question without any fast path: JSON.parse reads the whole line, and the file is parsed.
 */
import { parse } from '@maycrawl/core';
import {
  checkFields,
  describeError,
  invalidField,
  readContent,
  readCrawler,
  readFileOptions,
  readId,
  readQuestion,
  requireString,
} from '../../src/batch/question.ts';
import { toJsonAnswer, toJsonError } from '../../src/reports/answer.ts';
import { toJson } from '../../src/text/printable.ts';

/** Answers one line. */
export function answerNaively(line: Buffer): string {
  let id = {};
  try {
    const written = readQuestion(line);
    id = readId(written);
    const question = checkFields(written);
    const url = requireString(question, 'url');
    const normalize = question.normalize ?? true;
    if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
    const robots = parse(readContent(question), readFileOptions(question));
    const verdict = robots.ruleset(readCrawler(question)).decide(url, { normalize });
    if (verdict.kind === 'out-of-scope') return toJson({ ...id, error: toJsonError(verdict) });
    return toJson({ ...id, ...toJsonAnswer(verdict) });
  } catch (cause) {
    return toJson({ ...id, error: describeError(cause) });
  }
}
