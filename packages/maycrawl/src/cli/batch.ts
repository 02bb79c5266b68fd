/**
 * `maycrawl batch`: a filter for pipes. One question in JSON a line, one answer a line, in the same order.
 *
 * @module
 */
import { type CrawlerLike, findCrawler, findProfile, type ParseOptions, parse } from '@maycrawl/core';
import { answerOf, errorOf, type JsonAnswer } from './answer.ts';
import { readLines } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';

/** A question longer than this cannot be about 500 KiB of robots.txt, however it is escaped. */
const MAX_QUESTION_BYTES = 16 * 1024 * 1024;

type Answer = JsonAnswer | { readonly error: { readonly code: string; readonly message: string } };

/** What is wrong with a question. */
class QuestionError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Answers questions until the input ends. Memory does not grow with the input, and a slow reader holds it back.
 *
 * @returns the exit code: 0, or 2 if any line got no answer.
 */
export async function batch(
  input: AsyncIterable<Uint8Array>,
  output: NodeJS.WritableStream,
): Promise<number> {
  const writer = new LineWriter(output);
  let failed = false;
  for await (const line of readLines(input, MAX_QUESTION_BYTES)) {
    if (line.text.trim() === '' && !line.tooLong) continue;
    const answer = line.tooLong
      ? { error: { code: 'line-too-long', message: `the line is longer than ${MAX_QUESTION_BYTES} bytes` } }
      : answerLine(line.text);
    failed ||= 'error' in answer;
    await writer.write(JSON.stringify(answer));
  }
  await writer.flush();
  return failed ? 2 : 0;
}

/** Answers one line of JSON, with its `id` if it has one. */
function answerLine(text: string): Answer & { readonly id?: unknown } {
  let id: { id?: unknown } = {};
  try {
    const question = readObject(text);
    if (question['id'] !== undefined) id = { id: question['id'] };
    return { ...id, ...answerQuestion(question) };
  } catch (error) {
    if (!(error instanceof QuestionError)) throw error;
    return { ...id, error: { code: error.code, message: error.message } };
  }
}

type Question = Readonly<Record<string, unknown>>;

function readObject(text: string): Question {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new QuestionError('invalid-json', `the line is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new QuestionError('invalid-json', 'the line is not a JSON object');
  }
  return value as Question;
}

function answerQuestion(question: Question): Answer {
  const url = requireString(question, 'url');
  const normalize = question['normalize'] ?? true;
  if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
  const robots = parse(contentOf(question), optionsOf(question));
  const verdict = robots.ruleset(crawlerOf(question)).decide(url, { normalize });
  return verdict.kind === 'out-of-scope' ? { error: errorOf(verdict) } : answerOf(verdict);
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
