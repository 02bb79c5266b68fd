/// <reference types="node" preserve="true" />
// Where a test has its robots.txt from: a text, bytes, a response, a file or the object of Next.js.
import { closeSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isUint8Array } from 'node:util/types';
import { classifyStatus } from '@maycrawl/client/policy';
import { describePolicy, GOOGLE, MAX_FILE_BYTES, parse, type RobotsTxt } from '@maycrawl/core';
import { checkOptions, quoteValue, readStart } from '@maycrawl/core/internal';
import { describeFileError } from '../files/file-error.ts';
import { visible } from '../text/printable.ts';
import { type NextRobots, serializeNextRobots } from './next-robots.ts';
import { RobotsTestError } from './robots-test-error.ts';

/** A file with a robots.txt. A relative path starts at the working directory. */
export interface RobotsFile {
  readonly file: string | URL;
}

/** What is tested: the text or bytes of a robots.txt, a response of `fetch`, a file, or what `app/robots.ts` of Next.js returns. */
export type RobotsInput = string | Uint8Array | Response | URL | RobotsFile | NextRobots;

/** A robots.txt, and a description for messages. */
export interface RobotsSource {
  readonly robots: RobotsTxt;
  readonly description: string;
}

/** Bytes to read: the additional one shows that the file is longer. */
const MAX_BYTES = MAX_FILE_BYTES + 1;

/** Nothing, or a promise of it for a response: whether a test awaits. */
export type Settled<Input, Result = void> = [Extract<Input, Response>] extends [never]
  ? Result
  : Promise<void>;

/** Reads each robots.txt, and calls a function with them: in a promise if one is a response, whose body takes time. */
export function withSources<const Inputs extends readonly unknown[], Result>(
  inputs: Inputs,
  use: (sources: { readonly [Index in keyof Inputs]: RobotsSource }) => Result,
): Result | Promise<Result> {
  type Sources = { readonly [Index in keyof Inputs]: RobotsSource };
  if (!inputs.some(isResponse)) return use(inputs.map((input) => readRobots(input)) as unknown as Sources);
  const sources = Promise.all(inputs.map(async (input) => readRobots(input)));
  return sources.then((each) => use(each as unknown as Sources));
}

/**
 * Reads a robots.txt.
 *
 * @returns a promise for a response, whose body takes time.
 * @throws {TypeError} for any other input.
 * @throws {RobotsTestError} if it cannot be read, or says nothing about the rules.
 */
function readRobots(input: unknown): RobotsSource | Promise<RobotsSource> {
  if (typeof input === 'string') return createSource(requireText(input), 'the text');
  // Test runners have other classes than Node where they emulate a browser.
  if (isUint8Array(input)) return createSource(new Uint8Array(input), 'the bytes');
  if (isUrl(input)) return readFile(input);
  if (isResponse(input)) return readResponse(input);
  if (typeof input === 'object' && input !== null && 'file' in input) {
    checkOptions('robots', input as RobotsFile, { file: ['string', 'object'] }, ['file']);
    const { file } = input as RobotsFile;
    if (typeof file === 'object' && !isUrl(file))
      throw new TypeError(`"file" must be a path or a file: URL, not ${quoteValue(file)}`);
    return readFile(file);
  }
  if (typeof input === 'object' && input !== null && 'rules' in input)
    return createSource(serializeNextRobots(input as NextRobots), 'the text that Next.js sends');
  const hint = input instanceof Promise ? ': await it first' : '';
  throw new TypeError(
    `a robots.txt is a text, bytes, a Response, a file: URL, { file } or MetadataRoute.Robots of Next.js, not ${quoteValue(input)}${hint}`,
  );
}

function createSource(content: string | Uint8Array, description: string): RobotsSource {
  return { robots: parse(content), description };
}

/** One line that is no record is a path or an address: as a robots.txt it would allow all URLs. */
function requireText(text: string): string {
  const line = text.trim();
  if (line === '' || /[\n\r]/.test(line) || !/^(?:https?|file):|^[a-z]:[\\/]|^[^#:]*$/i.test(line))
    return text;
  throw new TypeError(
    `${quoteValue(line)} is not the text of a robots.txt: for a file write { file: 'robots.txt' }, for an address await fetch(address)`,
  );
}

function isUrl(value: unknown): value is URL {
  return Object.prototype.toString.call(value) === '[object URL]';
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false;
  const { status, clone } = value as Partial<Response>;
  return typeof status === 'number' && typeof clone === 'function';
}

function readFile(file: string | URL): RobotsSource {
  const name = visible(String(file));
  if (isUrl(file) && file.protocol !== 'file:')
    throw new TypeError(`${name} is not a file: await fetch(url), and test the response`);
  // Of Node, not of an emulated browser.
  const path = isUrl(file) ? fileURLToPath(file.href) : file;
  try {
    return createSource(readFileStart(path), name);
  } catch (cause) {
    throw new RobotsTestError('unreadable', `cannot read ${name}: ${describeFileError(cause)}`, cause);
  }
}

function readFileStart(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = new Uint8Array(MAX_BYTES);
    for (let length = 0; ; ) {
      const count = readSync(descriptor, buffer, length, MAX_BYTES - length, null);
      length += count;
      if (count === 0 || length === MAX_BYTES) return buffer.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a response as a crawler does (docs/fetching.md). */
async function readResponse(response: Response): Promise<RobotsSource> {
  const { status } = response;
  const description = `the response with status ${status}`;
  const statusClass = classifyStatus(status, GOOGLE);
  if (statusClass === 'unavailable') {
    const policy = describePolicy({ kind: 'allow-all', reason: 'unavailable' });
    return createSource('', `${description}. ${policy}`);
  }
  if (statusClass !== 'successful') {
    const problem =
      statusClass === 'redirect'
        ? 'is a redirect: test the response of its target'
        : 'says nothing about the rules: nothing is known, and crawlers fetch no URL meanwhile';
    throw new RobotsTestError('unreachable', `${description} ${problem}`);
  }
  if (response.bodyUsed)
    throw new TypeError('the body of the response was read before: test response.clone(), or its text');
  // The body stays readable for the next test.
  const { body } = response.clone();
  try {
    return createSource(body === null ? '' : await readStart(body, MAX_BYTES), description);
  } catch (cause) {
    const problem = visible((cause as Error).message);
    throw new RobotsTestError('unreadable', `cannot read the body of ${description}: ${problem}`, cause);
  }
}
