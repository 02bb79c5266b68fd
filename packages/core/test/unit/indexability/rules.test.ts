import { describe, expect, test } from 'vitest';
import { findCrawler } from '../../../src/index.ts';
import { readRobotsHeader } from '../../../src/indexability/rules.ts';
import { combineDirectives, type RobotsStatement, readRobotsMeta } from '../../../src/indexability.ts';

const NOW = Date.UTC(2026, 0, 1);

const meta = (name: string, content: string): RobotsStatement =>
  readRobotsMeta(name, content) as RobotsStatement;
const combineFor = (crawler: string, ...statements: readonly RobotsStatement[]) =>
  combineDirectives(statements, findCrawler(crawler) ?? crawler, NOW);

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
    const { noindex } = combineFor(crawler, meta(name, 'noindex'));
    expect(noindex.length).toBe(applies ? 1 : 0);
  });
});

test('statements for any of several tokens apply', () => {
  const statements = [meta('a', 'noindex'), meta('b', 'nofollow'), meta('c', 'none')];
  const { directives } = combineDirectives(statements, ['A', 'b'], NOW);
  expect(directives.map(({ directive }) => directive.kind)).toEqual(['noindex', 'nofollow']);
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
    const rules = combineFor('Googlebot', meta('robots', 'noindex'), meta('googlebot', 'all'));
    expect(rules.noindex).toEqual([
      { directive: { kind: 'noindex', text: 'noindex' }, statement: meta('robots', 'noindex') },
    ]);
    expect(rules.nofollow).toEqual([]);
  });

  test('none counts as noindex and nofollow, with its statement', () => {
    const header = readRobotsHeader('none, googlebot: noindex');
    const rules = combineFor('Googlebot', ...header, meta('googlebot', 'nofollow'));
    expect(rules.noindex.map(({ statement }) => [statement.from, statement.agent])).toEqual([
      ['header', null],
      ['header', 'googlebot'],
    ]);
    expect(rules.nofollow.map(({ statement }) => statement.from)).toEqual(['header', 'meta']);
  });

  test.each([
    ['max-snippet:50, max-snippet:20', 20],
    ['max-snippet:-1, max-snippet:20', 20],
    ['max-snippet:-1', null],
    ['max-snippet:50, nosnippet', 0],
    ['max-snippet:x', null],
  ])('maxSnippet for "%s" is %s', (content, expected) => {
    expect(combineFor('a', meta('robots', content)).maxSnippet).toBe(expected);
  });

  test.each([
    ['max-video-preview:3', 3],
    ['max-video-preview:3, nosnippet', 0],
    ['max-video-preview:-1', null],
  ])('maxVideoPreview for "%s" is %s', (content, expected) => {
    expect(combineFor('a', meta('robots', content)).maxVideoPreview).toBe(expected);
  });

  test.each([
    ['max-image-preview:large', 'large'],
    ['max-image-preview:large, max-image-preview:standard', 'standard'],
    ['max-image-preview:none, max-image-preview:standard', 'none'],
    ['noindex', null],
  ])('maxImagePreview for "%s" is %s', (content, expected) => {
    expect(combineFor('a', meta('robots', content)).maxImagePreview).toBe(expected);
  });

  test('flags are set by their directives', () => {
    const flags = { indexIfEmbedded: false, noImageIndex: false, noTranslate: false };
    expect(combineFor('a', meta('robots', 'all'))).toMatchObject(flags);
    expect(combineFor('a', meta('robots', 'noimageindex'))).toMatchObject({ ...flags, noImageIndex: true });
    expect(combineFor('a', meta('robots', 'notranslate'))).toMatchObject({ ...flags, noTranslate: true });
    expect(combineFor('a', meta('robots', 'indexifembedded'))).toMatchObject({
      ...flags,
      indexIfEmbedded: true,
    });
  });
});

describe('unavailable_after', () => {
  test.each([
    ['2026-01-01T00:00:00Z', 1],
    ['2026-01-01T00:00:01Z', 0],
    ['2025-06-01', 1],
  ])('%s forbids indexing on 2026-01-01: %i', (date, count) => {
    const rules = combineFor('a', meta('robots', `unavailable_after: ${date}`));
    expect(rules.noindex.length).toBe(count);
    expect(rules.unavailableAfter).toBe(Date.parse(date));
  });

  test('the earliest of several dates applies', () => {
    const rules = combineFor(
      'a',
      meta('robots', 'unavailable_after: 2027-01-01, unavailable_after: 2025-01-01'),
    );
    expect(rules.unavailableAfter).toBe(Date.UTC(2025, 0, 1));
    expect(rules.noindex.length).toBe(1);
  });
});

test('combineDirectives throws for an invalid crawler', () => {
  expect(() => combineDirectives([], '', NOW)).toThrow(RangeError);
  expect(() => combineDirectives([], 3 as unknown as string, NOW)).toThrow(TypeError);
});
