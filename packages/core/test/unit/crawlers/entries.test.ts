import { describe, expect, test } from 'vitest';
import {
  addCrawlers,
  CRAWLER_PURPOSES,
  CRAWLER_RECORDS,
  type CrawlerRecord,
  groupByPurpose,
  selectCrawlers,
  toDocumentedCrawler,
} from '../../../src/crawlers.ts';
import { CRAWLERS, findCrawler, resolveAgent } from '../../../src/index.ts';

const getRecord = (token: string): CrawlerRecord =>
  CRAWLER_RECORDS.find((record) => record.token === token) as CrawlerRecord;
const getTokens = (records: readonly CrawlerRecord[]): string[] => records.map(({ token }) => token);

describe('toDocumentedCrawler', () => {
  test('a crawler of CRAWLERS has its rules and its source', () => {
    for (const entry of CRAWLERS) {
      const record = CRAWLER_RECORDS.find(({ name, token }) => (name ?? token) === entry.name);
      expect(toDocumentedCrawler(record as CrawlerRecord)).toMatchObject(entry);
    }
  });

  test('others have the tokens for which verdicts are', () => {
    for (const record of CRAWLER_RECORDS.filter(({ rank }) => rank === undefined)) {
      expect(findCrawler(record.token)).toBeUndefined();
      const { tokens, obeys } = toDocumentedCrawler(record);
      const { crawler } = resolveAgent(record.token);
      expect(crawler).toEqual({ name: record.token, tokens, obeys });
      expect(obeys).toBe('rules');
    }
  });

  test('what others report about a crawler does not change its verdicts', () => {
    const record: CrawlerRecord = { ...getRecord('Bytespider'), robotsTxt: 'ignores' };
    expect(record.sources[0]?.kind).toBe('third-party');
    expect(toDocumentedCrawler(record)).toMatchObject({ tokens: ['Bytespider'], obeys: 'rules' });
    const operator = { url: 'https://example.com/', kind: 'operator', date: '2026' } as const;
    expect(toDocumentedCrawler({ ...record, sources: [operator] })).toMatchObject({
      tokens: [],
      obeys: 'nothing',
    });
    expect(
      toDocumentedCrawler({ ...record, robotsTxt: 'own-group-only', sources: [operator] }),
    ).toMatchObject({ tokens: ['Bytespider'], obeys: 'own-rules' });
  });

  test('a name without sources has no source', () => {
    expect(toDocumentedCrawler(getRecord('Jetbot')).source).toBeNull();
  });
});

describe('selectCrawlers', () => {
  test.each([
    ['one purpose', { purposes: ['plagiarism'] }, ['TurnitinBot']],
    ['a kind', { kinds: ['policy-token'] }, ['__usage_ai-training', 'Applebot-Extended', 'Google-Extended']],
    [
      'an operator in any case, and one of two purposes',
      { operator: 'openai', purposes: ['ai-train', 'ads'] },
      ['GPTBot', 'OAI-AdsBot'],
    ],
    ['no match', { operator: 'OpenAI', kinds: ['software'] }, []],
  ] as const)('%s', (_, filter, expected) => {
    expect(getTokens(selectCrawlers(CRAWLER_RECORDS, filter))).toEqual(expected);
  });

  test('an empty filter selects all records, an empty list none', () => {
    expect(selectCrawlers(CRAWLER_RECORDS, {})).toEqual(CRAWLER_RECORDS);
    expect(selectCrawlers(CRAWLER_RECORDS, { purposes: [] })).toEqual([]);
  });
});

test('addCrawlers replaces a record with the same token, and appends others', () => {
  const own = { ...getRecord('GPTBot'), token: 'gptbot', operator: 'Example' };
  const further = { ...own, token: 'ExampleBot' };
  const all = addCrawlers(CRAWLER_RECORDS, [own, further]);
  expect(all).toHaveLength(CRAWLER_RECORDS.length + 1);
  expect(all.indexOf(own)).toBe(CRAWLER_RECORDS.indexOf(getRecord('GPTBot')));
  expect(all.at(-1)).toBe(further);
});

test('groupByPurpose has each record once, under its main purpose', () => {
  const groups = groupByPurpose(CRAWLER_RECORDS);
  expect([...groups.values()].flat()).toHaveLength(CRAWLER_RECORDS.length);
  expect([...groups.keys()]).toEqual([...CRAWLER_PURPOSES, null]);
  expect(getTokens(groups.get('ai-train') ?? [])).toContain('GPTBot');
  expect(getTokens(groups.get('search') ?? [])).toContain('Applebot');
  expect(groups.get(null)?.every(({ purposes }) => purposes.length === 0)).toBe(true);
  expect([...groupByPurpose([getRecord('GPTBot')]).keys()]).toEqual(['ai-train']);
});
