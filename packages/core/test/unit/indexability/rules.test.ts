import { describe, expect, test } from 'vitest';
import { findCrawler } from '../../../src/index.ts';
import { readRobotsHeader } from '../../../src/indexability/rules.ts';
import { findNoindexDirectives, type RobotsStatement, readRobotsMeta } from '../../../src/indexability.ts';

const NOW = Date.UTC(2026, 0, 1);

const meta = (name: string, content: string): RobotsStatement =>
  readRobotsMeta(name, content) as RobotsStatement;
const findFor = (crawler: string, ...statements: readonly RobotsStatement[]) =>
  findNoindexDirectives(statements, findCrawler(crawler) ?? crawler, NOW);

describe('readRobotsMeta', () => {
  test.each([
    ['robots', 'noindex', null],
    ['ROBOTS', 'noindex', null],
    [' robots\n', 'anything', null],
    ['robots', '', null],
    ['Googlebot-News', 'none', 'googlebot-news'],
    ['my_bot', 'x, max-snippet:1', 'my_bot'],
    ['MJ12bot', 'noindex', 'mj12bot'],
    ['archive.org_bot', 'noindex', 'archive.org_bot'],
  ])('a tag named %j with content %j is a robots meta tag', (name, content, agent) => {
    expect(readRobotsMeta(name, content)).toMatchObject({ from: 'meta', agent, text: content });
  });

  test.each([
    ['description', 'a page about bots'],
    ['twitter:card', 'none'],
    ['my bot', 'noindex'],
    ['bot/2', 'noindex'],
    ['dc.date', '2026-01-01'],
    ['', 'noindex'],
    ['googlebot', ''],
    ['googlebot', 'index'],
  ])('a tag named %j with content %j is not a robots meta tag', (name, content) => {
    expect(readRobotsMeta(name, content)).toBeNull();
  });
});

/** Names of tags, and the crawlers to which they apply. */
describe.each([
  [
    'robots',
    [
      ...'Googlebot,Googlebot News,Googlebot Image,Google-InspectionTool'.split(','),
      ...'bingbot,YandexBot,Applebot,AnyBot,MJ12bot'.split(','),
    ],
  ],
  ['googlebot', ['Googlebot', 'Googlebot News', 'Googlebot Image', 'Google-InspectionTool', 'Applebot']],
  ['googlebot-news', ['Googlebot News']],
  ['yandex', ['YandexBot']],
  ['AnyBot', ['AnyBot']],
  ['MJ12bot', ['MJ12bot']],
  ['AdsBot-Google', ['AdsBot-Google']],
  ['google', []],
] as const)('a tag named %s', (name, crawlers: readonly string[]) => {
  test.each(
    [
      ...['Googlebot', 'Googlebot News', 'Googlebot Image', 'Google-InspectionTool', 'bingbot', 'YandexBot'],
      ...['Applebot', 'AnyBot', 'MJ12bot', 'AdsBot-Google', 'Google-Safety'],
    ].map((crawler) => ({ crawler, applies: crawlers.includes(crawler) })),
  )('applies to $crawler: $applies', ({ crawler, applies }) => {
    expect(findFor(crawler, meta(name, 'noindex')).length).toBe(applies ? 1 : 0);
  });
});

test('statements for any of several tokens apply', () => {
  const statements = [meta('a', 'noindex'), meta('b', 'nofollow, none'), meta('c', 'noindex')];
  const found = findNoindexDirectives(statements, ['A', 'b'], NOW);
  expect(found.map(({ directive }) => directive.kind)).toEqual(['noindex', 'none']);
});

test('the statements of a header with 900 agents do not repeat its whole text', () => {
  const agents = Array.from({ length: 900 }, (_, at) => `bot-${'ab'.repeat(at % 30)}${'c'.repeat(at / 30)}`);
  const value = agents.map((agent) => `${agent}: noindex`).join(', ');
  const statements = readRobotsHeader(`none, ${value}`);
  expect(statements.length).toBe(901);
  expect(statements.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(2 * value.length);
  expect(statements[0]?.text).toBe('none');
  expect(statements[1]?.text).toBe('bot-: noindex');
});

describe('the most restrictive directive wins', () => {
  test('a tag for the crawler does not override a general noindex', () => {
    expect(findFor('Googlebot', meta('robots', 'noindex'), meta('googlebot', 'all'))).toEqual([
      { directive: { kind: 'noindex', text: 'noindex' }, statement: meta('robots', 'noindex') },
    ]);
  });

  test('none counts as noindex, with its statement', () => {
    const header = readRobotsHeader('none, googlebot: noindex');
    const found = findFor('Googlebot', ...header, meta('googlebot', 'nofollow'));
    expect(found.map(({ statement }) => [statement.from, statement.agent])).toEqual([
      ['header', null],
      ['header', 'googlebot'],
    ]);
  });
});

describe('unavailable_after', () => {
  test.each([
    ['2026-01-01T00:00:00Z', 1],
    ['2026-01-01T00:00:01Z', 0],
    ['2025-06-01', 1],
  ])('%s forbids indexing on 2026-01-01: %i', (date, count) => {
    expect(findFor('a', meta('robots', `unavailable_after: ${date}`)).length).toBe(count);
  });

  test('the earliest of several dates applies', () => {
    const content = 'unavailable_after: 2027-01-01, unavailable_after: 2025-01-01';
    expect(findFor('a', meta('robots', content)).length).toBe(1);
  });
});

test('findNoindexDirectives throws for an invalid crawler', () => {
  expect(() => findNoindexDirectives([], '', NOW)).toThrow(RangeError);
  expect(() => findNoindexDirectives([], 3 as unknown as string, NOW)).toThrow(TypeError);
});
