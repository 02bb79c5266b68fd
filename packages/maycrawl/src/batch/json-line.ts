// Reads and validates the fields of a line in JSON.

import { isUtf8 } from 'node:buffer';
import {
  type CrawlerInput,
  findCrawler,
  findProfile,
  GLOBAL_CRAWLER,
  GOOGLE,
  isInvalidAgentError,
  type Profile,
} from '@maycrawl/core';
import { findNearestName, truncate } from '@maycrawl/core/internal';
import { findOrigin } from '@maycrawl/core/url';
import { runWithoutStacks } from '../lines/without-stacks.ts';

/** Maximum length of a line: 10 MB of robots.txt with every byte escaped, and more. */
export const MAX_JSON_LINE_BYTES: number = 64 * 1024 * 1024;
/** Maximum length of any other field as JSON. */
export const MAX_FIELD_CHARS: number = 1024 * 1024;

/** Maximum number of `agents`. Each user-agent line is compared with all of them. */
const MAX_AGENTS = 1_000;

/**
 * Maximum length of all other fields. Text of this length takes little memory, but nested lists take fifty times their length.
 */
const MAX_REST_BYTES: number = 8 * 1024 * 1024;

/** A line is invalid. The error has no stack, because it becomes a result. */
export class LineError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
  }
}

/** Converts an error to a result. @throws errors that are not about the line. */
export function describeError(cause: unknown): { code: string; message: string } {
  if (cause instanceof LineError) return { code: cause.code, message: cause.message };
  if (isInvalidAgentError(cause)) return { code: 'invalid-agent', message: cause.message };
  // JSON.stringify throws no other error for a value of JSON.parse.
  if (cause instanceof RangeError) return { code: 'invalid-json', message: 'the line is nested too deeply' };
  throw cause;
}

const FIELDS = [
  'id',
  'agent',
  'agents',
  'crawler',
  'url',
  'robots',
  'robotsBase64',
  'robotsUrl',
  'profile',
  'normalize',
  'purpose',
] as const;

export type Field = (typeof FIELDS)[number];

const FIELD_NAMES: ReadonlySet<string> = new Set(FIELDS);

/** A line with unvalidated fields. */
export type JsonLine = { readonly [Name in Field]?: unknown };

/**
 * Reads a line; `undefined` stands for one that was too long.
 *
 * @throws {LineError} if it is not a JSON object, or too long besides the file.
 */
export function readJsonLine(line: Buffer | undefined): JsonLine {
  if (line === undefined) {
    throw new LineError('line-too-long', `the line is longer than ${MAX_JSON_LINE_BYTES} bytes`);
  }
  if (line.length > MAX_REST_BYTES && line.length - getFileLength(line) > MAX_REST_BYTES) {
    throw new LineError(
      'line-too-long',
      `the line has more than ${MAX_REST_BYTES} bytes besides the text of "robots" or "robotsBase64"`,
    );
  }
  if (!isUtf8(line)) {
    throw new LineError(
      'invalid-utf8',
      'the line is not UTF-8; give a robots.txt that is not as "robotsBase64"',
    );
  }
  let value: unknown;
  try {
    value = runWithoutStacks(() => JSON.parse(line.toString()));
  } catch (error) {
    throw new LineError('invalid-json', `the line is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LineError('invalid-json', 'the line is not a JSON object');
  }
  return value as JsonLine;
}

/** The current names of fields by their former names, which are still accepted. */
const FORMER_NAMES: Readonly<Record<string, Field>> = {
  robots_base64: 'robotsBase64',
  robots_url: 'robotsUrl',
};

/**
 * Renames former fields, and checks the lengths of all fields.
 *
 * @throws {LineError} if a field has both names, or a field besides the file is too long.
 */
export function checkFields(line: JsonLine): JsonLine {
  const current = toCurrentNames(line);
  for (const field of Object.keys(current)) {
    if (!FIELD_NAMES.has(field)) requireOtherField(field);
    if (field !== 'robots' && field !== 'robotsBase64') checkLength(field, current[field as Field]);
  }
  return current;
}

/**
 * Other fields are ignored, because lines are also results and test cases. One that resembles a field is an error: if a misspelled
 * profile were ignored, another reader would decide.
 */
function requireOtherField(name: string): void {
  const nearest = findNearestName(name, FIELDS);
  if (nearest !== undefined)
    throw invalidField(truncate(name, 100), `is no field of a line. Did you mean "${nearest}"?`);
}

function toCurrentNames(line: Readonly<Record<string, unknown>>): JsonLine {
  const former = Object.keys(FORMER_NAMES).filter((name) => line[name] !== undefined);
  if (former.length === 0) return line;
  const renamed: Record<string, unknown> = { ...line };
  for (const name of former) {
    const current = FORMER_NAMES[name] as Field;
    if (renamed[current] !== undefined)
      throw invalidField('robotsBase64', 'or "robotsUrl" is also given by its former name');
    renamed[current] = renamed[name];
    delete renamed[name];
  }
  return renamed;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the length of the file in a line, with the name of its field; 0 if the line has none in the usual spelling. */
function getFileLength(line: Buffer): number {
  for (let at = line.indexOf('"robots'); at >= 0; at = line.indexOf('"robots', at + 1)) {
    const field = /^"robots(?:|Base64|_base64)"[ \t]*:[ \t]*"/.exec(line.toString('latin1', at, at + 100));
    const end = field === null ? -1 : findStringEnd(line, at + field[0].length);
    if (field !== null) return end < 0 ? 0 : end + 1 - at;
  }
  return 0;
}

/** Returns the position of the closing quote of a JSON string whose content begins at `from`; -1 if the string is not closed. */
function findStringEnd(line: Buffer, from: number): number {
  for (let quote = line.indexOf(QUOTE, from); quote >= 0; quote = line.indexOf(QUOTE, quote + 1)) {
    let escapes = quote;
    while (escapes > from && line[escapes - 1] === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote;
  }
  return -1;
}

/**
 * Reads the `id` of a line.
 *
 * @throws {LineError} if it is too long, or contains a number that would lose digits.
 */
export function readId({ id }: JsonLine): unknown {
  if (id === undefined) return undefined;
  if (typeof id !== 'number') checkLength('id', id);
  // Checks nested numbers, too. `checkLength` has ruled out deep nesting.
  if (typeof id === 'object') JSON.stringify(id, (_key, value) => requireExactNumber(value));
  else requireExactNumber(id);
  return id;
}

/** @throws {LineError} for a number that would lose digits. */
function requireExactNumber<T>(value: T): T {
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value === 'number' && !isExact)
    throw invalidField('id', 'is a number beyond 2^53, which would lose digits: write it as a string');
  return value;
}

function checkLength(field: string, content: unknown): void {
  const { length } = typeof content === 'string' ? content : JSON.stringify(content);
  if (length > MAX_FIELD_CHARS)
    throw invalidField(truncate(field, 100), `is longer than ${MAX_FIELD_CHARS} characters`);
}

export interface FileOptions {
  readonly profile: Profile;
  readonly url?: string;
}

const DEFAULT_OPTIONS: FileOptions = { profile: GOOGLE };

/** Reads the profile and the URL of the file. @throws {LineError} if one of them is invalid. */
export function readFileOptions(line: JsonLine): FileOptions {
  if (line.profile === undefined && line.robotsUrl === undefined) return DEFAULT_OPTIONS;
  const profile = line.profile === undefined ? GOOGLE : requireProfile(line);
  if (line.robotsUrl === undefined) return { profile };
  const url = requireString(line, 'robotsUrl');
  if (findOrigin(url) === undefined)
    throw invalidField('robotsUrl', 'is not an absolute http, https or ftp URL');
  return { profile, url };
}

function requireProfile(line: JsonLine): Profile {
  const name = requireString(line, 'profile');
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  throw new LineError('unknown-profile', `unknown profile ${JSON.stringify(name)}`);
}

/** Reads the file. @throws {LineError} if the line does not have exactly one, or it is not base64. */
export function readContent(line: JsonLine): Uint8Array {
  if (line.robots !== undefined && line.robotsBase64 !== undefined) {
    throw invalidField('robots', 'and "robotsBase64" exclude each other');
  }
  if (line.robotsBase64 === undefined) return Buffer.from(requireString(line, 'robots'));
  return decodeBase64(requireString(line, 'robotsBase64'));
}

/** Decodes base64 with padding (RFC 4648, section 4). @throws {LineError} for another text. */
function decodeBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Node.js skips other characters. To encode the bytes again is faster than to check each character; the text differs also if unused bits are set.
  const isValid =
    bytes.toString('base64') === text || (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text));
  if (!isValid) throw invalidField('robotsBase64', 'is not base64');
  return bytes;
}

/**
 * Reads the crawler: `agent`, a name; `agents`, bare tokens exactly as Google's matcher reads them, whose groups are merged; or `crawler`,
 * one of the catalogue. An empty name means a crawler that obeys only the groups for `*`.
 *
 * @throws {LineError} unless the line has exactly one of them.
 */
export function readCrawler(line: JsonLine): CrawlerInput {
  const { agent, agents, crawler: entry } = line;
  const given = Number(agent !== undefined) + Number(agents !== undefined) + Number(entry !== undefined);
  if (given !== 1)
    throw new LineError('invalid-field', 'give exactly one of "agent", "agents" and "crawler"');
  if (entry !== undefined) {
    const name = requireString(line, 'crawler');
    const crawler = findCrawler(name);
    if (crawler === undefined) {
      throw new LineError('unknown-crawler', `the catalogue has no crawler ${JSON.stringify(name)}`);
    }
    return crawler;
  }
  // Whether a user-agent line can name it, is found when the core resolves it.
  if (agents === undefined) return requireString(line, 'agent') || GLOBAL_CRAWLER;
  if (!Array.isArray(agents) || agents.length === 0 || !agents.every((each) => typeof each === 'string'))
    throw invalidField('agents', 'must be a list of one or more strings');
  if (agents.length > MAX_AGENTS) throw invalidField('agents', `has more than ${MAX_AGENTS} product tokens`);
  return agents as string[];
}

/** Returns a required string. @throws {LineError} if it is missing, or not a string. */
export function requireString(line: JsonLine, field: Field): string {
  const value = line[field];
  if (typeof value !== 'string')
    throw invalidField(field, value === undefined ? 'is missing' : 'is not a string');
  return value;
}

export function invalidField(field: string, problem: string): LineError {
  return new LineError('invalid-field', `"${field}" ${problem}`);
}
