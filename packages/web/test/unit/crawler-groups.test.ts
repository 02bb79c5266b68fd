import { resolveAgent } from '@maycrawl/core';
import * as catalogue from '@maycrawl/core/crawlers';
import { expect, test } from 'vitest';
import { createCatalogue, type ListedCrawler } from '../../src/tester/matrix/crawler-groups.ts';

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

test('a crawler is found by its name, token and operator', () => {
  const { searchText } = find('Storebot') as ListedCrawler;
  for (const word of ['storebot', 'storebot-google', 'google']) expect(searchText).toContain(word);
});
