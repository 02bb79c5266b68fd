import { resolveAgent } from '@maycrawl/core';
import * as catalogue from '@maycrawl/core/crawlers';
import { expect, test } from 'vitest';
import { createCatalogue, findCrawlers, type ListedCrawler } from '../../src/tester/matrix/crawler-groups.ts';

const GROUPS = createCatalogue(catalogue);
const ALL = GROUPS.flatMap(({ common, others }) => [...common, ...others]);
const find = (name: string): ListedCrawler | undefined => ALL.find((each) => each.name === name);

test('each crawler of the catalogue is listed once, by purpose', () => {
  expect(ALL).toHaveLength(catalogue.CRAWLER_RECORDS.length);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  expect(GROUPS.map(({ purpose }) => purpose)).toEqual([...catalogue.CRAWLER_PURPOSES, '']);
  expect(GROUPS[0]?.title).toBe('Results of a search engine');
  expect(GROUPS.at(-1)?.title).toBe('No documented purpose');
});

test('the names are those that the matrix shows', () => {
  for (const { name } of ALL) expect(resolveAgent(name).name).toBe(name);
});

test('the common crawlers are first, the best known one at the top', () => {
  expect(GROUPS[0]?.common.slice(0, 3).map(({ name }) => name)).toEqual([
    'Googlebot',
    'Googlebot Image',
    'Googlebot Video',
  ]);
  expect(GROUPS[0]?.others.map(({ name }) => name)).toContain('MojeekBot');
});

test.each<[string, string[]]>([
  ['Googlebot', ['Google']],
  ['Googlebot Image', ['else Googlebot', 'Google']],
  ['AdsBot-Google', ['obeys only its own group', 'Google']],
  ['Google-Safety', ['ignores robots.txt', 'Google']],
  ['Google-Extended', ['sends no requests', 'Google']],
  ['ChatGPT-User', ['may ignore robots.txt', 'OpenAI']],
  ['YandexCalendar', ['may ignore the group for *', 'Yandex']],
  ['Bytespider', ['is reported to ignore robots.txt', 'ByteDance']],
  ['anthropic-ai', ['retired', 'Anthropic']],
])('%s: %j', (name, notes) => {
  expect(find(name)?.notes).toEqual(notes);
});

test.each([
  ['its name', 'Storebot', ['Storebot']],
  ['its token, in any case', ' STOREBOT-google ', ['Storebot']],
  ['its operator', 'openai', ['GPTBot', 'OAI-SearchBot', 'ChatGPT-User', 'OAI-AdsBot']],
])('a crawler is found by %s', (_, text, expected) => {
  const found = findCrawlers(GROUPS, text);
  expect(found.flatMap(({ common, others }) => [...common, ...others]).map(({ name }) => name)).toEqual(
    expected,
  );
});

test('groups without a crawler that is found are omitted', () => {
  expect(findCrawlers(GROUPS, 'no such crawler')).toEqual([]);
  expect(findCrawlers(GROUPS, '')).toEqual(GROUPS);
});
