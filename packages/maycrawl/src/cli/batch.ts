/**
 * `maycrawl batch`: a filter for pipes. One question in JSON a line, one answer a line, in the same order.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import {
  type CrawlerLike,
  findCrawler,
  findProfile,
  type ParseOptions,
  parse,
  type Ruleset,
} from '@maycrawl/core';
import { answerOf, errorOf, type JsonAnswer } from './answer.ts';
import { type InputLine, readLines } from './line-reader.ts';
import { RulesetCache } from './ruleset-cache.ts';
import { toJson } from './terminal.ts';

/** Room for 10 MB of robots.txt in which JSON escapes every byte, and some more. */
const MAX_QUESTION_BYTES = 64 * 1024 * 1024;

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
 * Answers questions until the input ends. What has come in is answered before more is waited for. Memory does not grow
 * with the input, and a slow reader holds it back.
 *
 * @returns the exit code: 0, or 2 if any line got no answer.
 */
export async function batch(
  input: AsyncIterable<Uint8Array>,
  output: NodeJS.WritableStream,
): Promise<number> {
  const cache = new RulesetCache();
  let failed = false;
  let isFirst = true;
  for await (const lines of readLines(input, MAX_QUESTION_BYTES)) {
    let answers = '';
    for (const line of lines) {
      const text = isFirst ? withoutMark(line) : line;
      isFirst = false;
      if (text !== undefined && isBlank(text)) continue;
      const answer = answerLine(text, cache);
      failed ||= answer.failed;
      answers += `${answer.json}\n`;
    }
    if (answers !== '' && !output.write(answers)) await once(output, 'drain');
  }
  return failed ? 2 : 0;
}

/** Windows programs put a byte order mark before what they write; JSON knows none. */
function withoutMark(line: InputLine): InputLine {
  return line?.[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** Answers one line, with the `id` of the question if it has one. */
function answerLine(line: InputLine, cache: RulesetCache): { json: string; failed: boolean } {
  let id: { id?: unknown } = {};
  try {
    const question = readObject(line);
    if (question['id'] !== undefined) id = { id: question['id'] };
    const answer = answerQuestion(question, cache);
    return { json: toJson({ ...id, ...answer }), failed: 'error' in answer };
  } catch (cause) {
    const error = describeError(cause);
    try {
      return { json: toJson({ ...id, error }), failed: true };
    } catch {
      // An id nested too deeply to be written.
      return { json: toJson({ error }), failed: true };
    }
  }
}

function describeError(cause: unknown): { code: string; message: string } {
  if (cause instanceof QuestionError) return { code: cause.code, message: cause.message };
  // The only thing that JSON.stringify throws for what JSON.parse has read.
  if (cause instanceof RangeError) return { code: 'invalid-json', message: 'the line is nested too deeply' };
  throw cause;
}

type Question = Readonly<Record<string, unknown>>;

function readObject(line: InputLine): Question {
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
    value = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8'));
  } catch (error) {
    throw new QuestionError('invalid-json', `the line is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new QuestionError('invalid-json', 'the line is not a JSON object');
  }
  return value as Question;
}

function answerQuestion(question: Question, cache: RulesetCache): Answer {
  const url = requireString(question, 'url');
  const normalize = question['normalize'] ?? true;
  if (typeof normalize !== 'boolean') throw invalidField('normalize', 'is true or false');
  const { robots, robots_base64, agent, agents, crawler, profile, robots_url } = question;
  const kinds = [typeof robots, typeof robots_base64];
  const asked = JSON.stringify([kinds, agent, agents, crawler, profile, robots_url]);
  // What is not as it must be is found out when the ruleset is made; that throws, and nothing is kept.
  const content = String(robots_base64 ?? robots);
  const ruleset = cache.get(content, asked, () => rulesetOf(question));
  const verdict = ruleset.decide(url, { normalize });
  return verdict.kind === 'out-of-scope' ? { error: errorOf(verdict) } : answerOf(verdict);
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
