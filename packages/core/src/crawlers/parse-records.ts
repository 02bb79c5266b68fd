// Reads and checks a catalogue of crawlers. It accepts what `crawlers.schema.json` accepts, and requires in addition that tokens are unique.
import {
  type Check,
  DATE,
  fail,
  listOf,
  MAX_TEXT,
  object,
  oneOf,
  orNull,
  SOURCES,
  TEXT,
  TOKEN,
  text,
  URL_TEXT,
} from './checks.ts';
import type { OperatorRecord } from './operator-record.ts';
import { OPERATORS, requirePhaseOrder } from './parse-operators.ts';
import { CRAWLER_KINDS, CRAWLER_PURPOSES, type CrawlerRecord, ROBOTS_TXT_BEHAVIORS } from './record.ts';

const MAX_RECORDS = 10_000;

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
    sources: SOURCES,
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

const CATALOGUE: Check = /* @__PURE__ */ object(
  { crawlers: /* @__PURE__ */ listOf(RECORD, MAX_RECORDS) },
  { operators: OPERATORS, $schema: /* @__PURE__ */ text('a text', /^[\s\S]*$/, MAX_TEXT) },
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
  CATALOGUE(value, 'the catalogue');
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

/**
 * Checks a catalogue, as {@link parseCrawlerRecords} does, and returns its {@link OperatorRecord}s.
 *
 * @param value - for example the result of `JSON.parse`.
 * @returns the list `operators`, or an empty list if the catalogue has none.
 * @throws {TypeError} if the value is not a catalogue; the message names the place. It does not contain values.
 * @throws {RangeError} if the phases of an outage are not in the order of time.
 */
export function parseOperatorRecords(value: unknown): readonly OperatorRecord[] {
  CATALOGUE(value, 'the catalogue');
  const { operators = [] } = value as { readonly operators?: readonly OperatorRecord[] };
  requirePhaseOrder(operators, 'the catalogue.operators');
  return operators;
}
