/**
 * Reads and validates the fields of a question in JSON.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer';
import {
  type CrawlerSpec,
  findCrawler,
  findProfile,
  GLOBAL_CRAWLER,
  isAgentToken,
  type ParseOptions,
  parse,
  type RobotsTxt,
  resolveAgent,
} from '@maycrawl/core';
import { runWithoutStacks } from '../lines/without-stacks.ts';
import { FileFinder } from './file-finder.ts';

/** Maximum length of a question: 10 MB of robots.txt with every byte escaped, and more. */
export const MAX_QUESTION_BYTES: number = 64 * 1024 * 1024;
/** Maximum length of any other field as JSON. */
export const MAX_FIELD_CHARS: number = 1024 * 1024;

/**
 * Maximum length of all other fields. Text of this length takes little memory, but nested lists take fifty times their length.
 */
const MAX_REST_BYTES: number = 8 * 1024 * 1024;

/** A question is invalid. The error has no stack, because it becomes a result. */
export class QuestionError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
  }
}

/** Converts an error to a result. @throws errors that are not about the question. */
export function describeError(cause: unknown): { code: string; message: string } {
  if (cause instanceof QuestionError) return { code: cause.code, message: cause.message };
  // JSON.stringify throws no other error for a value of JSON.parse.
  if (cause instanceof RangeError) return { code: 'invalid-json', message: 'the line is nested too deeply' };
  throw cause;
}

/** A question with unvalidated fields. */
export type Question = Readonly<Record<string, unknown>>;

/**
 * Reads a line; `undefined` stands for one that was too long.
 *
 * @throws {QuestionError} if it is not a JSON object, or too long besides the file.
 */
export function readQuestion(line: Buffer | undefined): Question {
  if (line === undefined) {
    throw new QuestionError('line-too-long', `the line is longer than ${MAX_QUESTION_BYTES} bytes`);
  }
  if (line.length > MAX_REST_BYTES && line.length - getFileLength(line) > MAX_REST_BYTES) {
    throw new QuestionError(
      'line-too-long',
      `the line has more than ${MAX_REST_BYTES} bytes besides the text of "robots" or "robotsBase64"`,
    );
  }
  if (!isUtf8(line)) {
    throw new QuestionError(
      'invalid-utf8',
      'the line is not UTF-8; give a robots.txt that is not as "robotsBase64"',
    );
  }
  let value: unknown;
  try {
    value = runWithoutStacks(() => JSON.parse(line.toString()));
  } catch (error) {
    throw new QuestionError('invalid-json', `the line is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new QuestionError('invalid-json', 'the line is not a JSON object');
  }
  return value as Question;
}

/** The current names of fields by their former names, which are still accepted. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  robots_base64: 'robotsBase64',
  robots_url: 'robotsUrl',
};

/** Returns the current name of a field. */
export function getCurrentName(field: string): string {
  return FORMER_NAMES[field] ?? field;
}

/** Renames former fields. Returns `undefined` if a field has both names. */
export function toCurrentNames(question: Question): Question | undefined {
  const former = Object.keys(FORMER_NAMES).filter((name) => question[name] !== undefined);
  if (former.length === 0) return question;
  const renamed: Record<string, unknown> = { ...question };
  for (const name of former) {
    const current = getCurrentName(name);
    if (renamed[current] !== undefined) return undefined;
    renamed[current] = renamed[name];
    delete renamed[name];
  }
  return renamed;
}

/** Returns the length of the file in a line, if it has the usual form. */
function getFileLength(line: Buffer): number {
  const place = new FileFinder(line).find(0, line.length);
  return place === undefined ? 0 : place.end - place.start;
}

/**
 * Reads the `id` of a question.
 *
 * @throws {QuestionError} if it is too long, or contains a number that would lose digits.
 */
export function readId({ id }: Question): { readonly id?: unknown } {
  if (id === undefined) return {};
  checkLength('id', id);
  // Checks nested numbers, too. `checkLength` has ruled out deep nesting.
  if (typeof id === 'object') JSON.stringify(id, (_key, value) => requireExactNumber(value));
  else requireExactNumber(id);
  return { id };
}

/** @throws {QuestionError} for a number that would lose digits. */
function requireExactNumber<T>(value: T): T {
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value === 'number' && !isExact)
    throw invalidField('id', 'is a number beyond 2^53, which would lose digits: write it as a string');
  return value;
}

/** @throws {QuestionError} if a field besides the file is too long. */
export function checkFields(question: Question): void {
  for (const [field, content] of Object.entries(question)) {
    if (field !== 'robots' && field !== 'robotsBase64') checkLength(field.slice(0, 100), content);
  }
}

function checkLength(field: string, content: unknown): void {
  const { length } = typeof content === 'string' ? content : JSON.stringify(content);
  if (length > MAX_FIELD_CHARS) throw invalidField(field, `is longer than ${MAX_FIELD_CHARS} characters`);
}

/** Parses the file of a question. */
export function readDocument(question: Question): RobotsTxt {
  const robots = parse(readContent(question), readParseOptions(question));
  const { scope } = robots;
  if (scope !== undefined && 'outOfScope' in scope && scope.outOfScope !== 'invalid-robots-txt-url') {
    throw invalidField('robotsUrl', 'is not an absolute http, https or ftp URL');
  }
  return robots;
}

function readParseOptions(question: Question): ParseOptions {
  const name = question['profile'] === undefined ? 'google' : requireString(question, 'profile');
  const profile = findProfile(name);
  if (profile === undefined)
    throw new QuestionError('unknown-profile', `unknown profile ${JSON.stringify(name)}`);
  return question['robotsUrl'] === undefined
    ? { profile }
    : { profile, url: requireString(question, 'robotsUrl') };
}

function readContent(question: Question): Uint8Array | string {
  if (question['robots'] !== undefined && question['robotsBase64'] !== undefined) {
    throw invalidField('robots', 'and "robotsBase64" exclude each other');
  }
  if (question['robotsBase64'] === undefined) return requireString(question, 'robots');
  const base64 = requireString(question, 'robotsBase64');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw invalidField('robotsBase64', 'is not base64');
  }
  return Buffer.from(base64, 'base64');
}

/**
 * Reads the crawler: `agent`, a name; `agents`, bare product tokens whose groups are merged; or `crawler`, one of the catalogue.
 * An empty token means a crawler that obeys only the groups for `*`.
 *
 * @throws {QuestionError} unless the question has exactly one of them, and a user-agent line can name it.
 */
export function readCrawler(question: Question): CrawlerSpec {
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
  if (question['agents'] === undefined) return resolveName(requireString(question, 'agent'));
  const agents: unknown = question['agents'];
  if (!Array.isArray(agents) || agents.length === 0 || !agents.every((each) => typeof each === 'string'))
    throw invalidField('agents', 'must be a list of product tokens');
  const tokens = (agents as string[]).filter((token) => token !== '');
  const unusable = tokens.find((token) => !isAgentToken(token));
  if (unusable !== undefined)
    throw invalidField('agents', 'must be product tokens: letters, digits, "_", "-" and "." only');
  return tokens.length === 0 ? GLOBAL_CRAWLER : tokens;
}

function resolveName(name: string): CrawlerSpec {
  if (name === '') return GLOBAL_CRAWLER;
  try {
    return resolveAgent(name).crawler;
  } catch (error) {
    throw new QuestionError('invalid-agent', (error as RangeError).message);
  }
}

/** Returns a required string. @throws {QuestionError} if it is missing, or not a string. */
export function requireString(question: Question, field: string): string {
  const value = question[field];
  if (typeof value !== 'string')
    throw invalidField(field, value === undefined ? 'is missing' : 'is not a string');
  return value;
}

/** Creates the error of an invalid field. */
export function invalidField(field: string, problem: string): QuestionError {
  return new QuestionError('invalid-field', `"${field}" ${problem}`);
}
