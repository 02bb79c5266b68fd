import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { FURTHER_TOKENS } from '../../../src/crawler/catalogue-data.ts';
import { isProductToken } from '../../../src/crawler/crawler.ts';
import { CRAWLER_RECORDS, type CrawlerRecord } from '../../../src/crawlers.ts';
import { CRAWLERS, isAgentToken, resolveAgent } from '../../../src/index.ts';

const FOLDER = new URL('../../../src/crawlers/', import.meta.url);
const readJson = (name: string): object => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));

const TOKENS = CRAWLER_RECORDS.map(({ token }) => token);

test('the catalogue has the form of its schema', () => {
  const validate = new Ajv({ allErrors: true }).compile(readJson('crawlers.schema.json'));
  validate(readJson('crawlers.json'));
  expect(validate.errors ?? []).toEqual([]);
});

test('the records are sorted by token, and unique', () => {
  const lowerCase = TOKENS.map((token) => token.toLowerCase());
  expect(lowerCase).toEqual([...new Set(lowerCase)].sort());
});

test('the further tokens are those of all records without a rank', () => {
  const inCore = new Set(CRAWLER_RECORDS.filter(({ rank }) => rank !== undefined).map(({ token }) => token));
  expect(FURTHER_TOKENS).toEqual(TOKENS.filter((token) => !inCore.has(token)));
  expect(FURTHER_TOKENS.length).toBeGreaterThanOrEqual(191);
});

test('the ranks are the positions of the crawlers in CRAWLERS', () => {
  const ranked = CRAWLER_RECORDS.filter(({ rank }) => rank !== undefined);
  const byRank = [...ranked].sort((a, b) => (a.rank as number) - (b.rank as number));
  expect(byRank.map(({ rank }) => rank)).toEqual(byRank.map((_, index) => index + 1));
  expect(byRank.map(({ name, token }) => name ?? token)).toEqual(CRAWLERS.map(({ name }) => name));
});

test.each(CRAWLER_RECORDS.map((record) => [record.token, record] as const))(
  '%s is described plainly, and its facts do not contradict each other',
  (token, record: CrawlerRecord) => {
    const {
      description,
      kind,
      header,
      sources,
      purposes,
      robotsTxt,
      runsScripts,
      fallbacks = [],
      governs,
      announced,
    } = record;
    expect(isAgentToken(token)).toBe(true);
    expect(description).toMatch(/^[A-Z](?:[^.]|\.\S)*\.$/);
    expect(description.length).toBeLessThan(120);
    expect(header === null || kind !== 'policy-token').toBe(true);
    expect(fallbacks.every(isProductToken)).toBe(true);
    // The catalogue has the crawlers whose pages a policy token is about.
    expect(governs !== undefined || announced !== undefined).toBe(kind === 'policy-token');
    expect((governs ?? []).every((each) => TOKENS.includes(each))).toBe(true);
    // What is not looked up is not stated.
    if (sources.length === 0) {
      expect(purposes).toEqual([]);
      expect(robotsTxt).toBe('undocumented');
    }
    for (const { url, date } of sources) {
      expect(new URL(url).href).toBe(url);
      expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      expect(date > '2026-11').toBe(true);
    }
    if (runsScripts !== undefined) expect(new URL(runsScripts).protocol).toBe('https:');
    expect(new Set(sources.map(({ url }) => url)).size).toBe(sources.length);
  },
);

test('names of the catalogue are valid agents', () => {
  for (const token of TOKENS) expect(resolveAgent(token).source).toMatch(/^(?:catalogue|token)$/);
});
