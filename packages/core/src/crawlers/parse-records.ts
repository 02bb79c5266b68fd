// Reads and checks a catalogue of crawlers. It accepts what `crawlers.schema.json` accepts, and requires in addition that tokens are unique.
import { truncate } from '../bytes/truncate.ts';
import {
  CRAWLER_KINDS,
  CRAWLER_PURPOSES,
  type CrawlerRecord,
  ROBOTS_TXT_BEHAVIORS,
  SOURCE_KINDS,
} from './record.ts';

const MAX_RECORDS = 10_000;
const MAX_TEXT = 300;
const MAX_TOKEN = 100;

/** Checks a value. @param path - names the value in messages, such as `crawlers[3].token`. @throws {TypeError} if it is invalid. */
type Check = (value: unknown, path: string) => void;

function fail(path: string, expected: string): never {
  throw new TypeError(`${path} must be ${expected}`);
}

function text(expected: string, pattern: RegExp, maxLength: number): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !isWithin(value, maxLength) || !pattern.test(value))
      fail(path, expected);
  };
}

/** Whether a text has at most a number of characters, as JSON Schema counts them. */
function isWithin(value: string, maxLength: number): boolean {
  return value.length <= maxLength || (value.length <= 2 * maxLength && [...value].length <= maxLength);
}

function oneOf(choices: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !choices.includes(value)) fail(path, `one of ${choices.join(', ')}`);
  };
}

function listOf(check: Check, most: number, { isUnique = false } = {}): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length > most) fail(path, `a list with at most ${most} items`);
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
    if (isUnique && new Set(value).size < value.length) fail(path, 'a list without repetitions');
  };
}

function orNull(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

function object(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object');
    const missing = Object.keys(required).find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) fail(path, `an object with "${missing}"`);
    for (const [key, item] of Object.entries(value)) {
      const check = checks.get(key);
      if (check === undefined) fail(path, `an object without ${JSON.stringify(truncate(key, MAX_TOKEN))}`);
      check(item, `${path}.${key}`);
    }
  };
}

const TOKEN: Check = text('letters, digits, "_", "-" and "."', /^[A-Za-z0-9._-]+$/, MAX_TOKEN);
const TEXT: Check = text(`a text with 1 to ${MAX_TEXT} characters`, /[\s\S]/, MAX_TEXT);
const URL_TEXT: Check = text('an http or https URL', /^https?:\/\/[!-~]+$/, MAX_TEXT);
const DATE: Check = text(
  'a year, month or day such as 2026-11-23',
  /^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$/,
  10,
);

function checkRank(value: unknown, path: string): void {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 1000)
    fail(path, 'a whole number from 1 to 1000');
}

const RECORD: Check = /* @__PURE__ */ object(
  {
    token: TOKEN,
    operator: TEXT,
    kind: oneOf(CRAWLER_KINDS),
    purposes: listOf(oneOf(CRAWLER_PURPOSES), 16, { isUnique: true }),
    robotsTxt: oneOf(ROBOTS_TXT_BEHAVIORS),
    description: TEXT,
    sources: listOf(object({ url: URL_TEXT, kind: oneOf(SOURCE_KINDS), date: DATE }), 10),
  },
  {
    name: TEXT,
    fallbacks: listOf(TOKEN, 28, { isUnique: true }),
    governs: listOf(TOKEN, 100, { isUnique: true }),
    header: orNull(TEXT),
    retired: object({ since: orNull(DATE) }),
    announced: listOf(object({ operator: TEXT, date: DATE, url: URL_TEXT }), 20),
    runsScripts: URL_TEXT,
    rank: checkRank,
  },
);

/**
 * Checks a catalogue: an object with a list of {@link CrawlerRecord}s as `crawlers`, as in `crawlers.schema.json`.
 *
 * @param value - for example the result of `JSON.parse`.
 * @returns its records.
 * @throws {TypeError} if the value is not a catalogue; the message names the place. It does not contain values.
 * @throws {RangeError} if two records have the same token, regardless of case.
 */
export function parseCrawlerRecords(value: unknown): readonly CrawlerRecord[] {
  object({ crawlers: listOf(RECORD, MAX_RECORDS) }, { $schema: text('a text', /^[\s\S]*$/, MAX_TEXT) })(
    value,
    'the catalogue',
  );
  const { crawlers } = value as { readonly crawlers: readonly CrawlerRecord[] };
  const seen = new Map<string, number>();
  for (const [index, { token }] of crawlers.entries()) {
    const first = seen.get(token.toLowerCase());
    if (first !== undefined)
      throw new RangeError(`the catalogue.crawlers[${index}] has the same token as [${first}]: ${token}`);
    seen.set(token.toLowerCase(), index);
  }
  return crawlers;
}
