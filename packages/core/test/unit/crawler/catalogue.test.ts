import { describe, expect, test } from 'vitest';
import { isProductToken } from '../../../src/crawler/crawler.ts';
import { CRAWLERS, findCrawler, parse, recognizeCrawler } from '../../../src/index.ts';

describe('the catalogue', () => {
  test('lists each crawler once, with valid tokens and a source', () => {
    const names = CRAWLERS.map(({ name }) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const { tokens, obeys, source } of CRAWLERS) {
      expect(tokens.every(isProductToken)).toBe(true);
      expect(tokens.length > 0).toBe(obeys !== 'nothing');
      expect(source).toMatch(/^https:\/\//);
    }
  });

  test.each([
    ['Googlebot Image', 'Googlebot Image'],
    ['googlebot-image', 'Googlebot Image'],
    ['GPTBOT', 'GPTBot'],
    ['Storebot-Google', 'Storebot'],
    ['Google-Safety', 'Google-Safety'],
  ])('findCrawler(%j) returns %s', (name, expected) => {
    expect(findCrawler(name)?.name).toBe(expected);
  });

  test('does not contain unknown names', () => {
    expect(findCrawler('OtherBot')).toBeUndefined();
    expect(findCrawler('')).toBeUndefined();
  });

  test('can be extended by the caller', () => {
    const custom = { name: 'My Bot', tokens: ['MyBot-Image', 'MyBot'], obeys: 'rules' } as const;
    expect(findCrawler('mybot-image', [...CRAWLERS, custom])).toBe(custom);
    const verdict = parse('user-agent: mybot\ndisallow: /').ruleset(custom).decide('/');
    expect(verdict).toMatchObject({ kind: 'disallowed', group: { kind: 'fallback', tokens: ['MyBot'] } });
  });
});

describe('recognizeCrawler', () => {
  test.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
    ['Googlebot-Image/1.0', 'Googlebot Image'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 14_7_1) (compatible; AdsBot-Google-Mobile; +http://x)',
      'AdsBot-Google-Mobile',
    ],
    ['AdsBot-Google (+http://www.google.com/adsbot.html)', 'AdsBot-Google'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      'GPTBot',
    ],
    ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'YandexBot'],
    ['Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) AppleWebKit/537.36', 'Storebot'],
    ['FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)', 'FeedFetcher-Google'],
    [
      'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webcrawlers)',
      'meta-externalagent',
    ],
    ['CCBot/2.0 (https://commoncrawl.org/faq/)', 'CCBot'],
    ['Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)', 'Google-InspectionTool'],
  ])('recognises %s as %s', (header, expected) => {
    expect(recognizeCrawler(header)?.name).toBe(expected);
  });

  test.each([
    '',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
    'NotGooglebot/1.0',
    'Googlebotx',
    'Google-Extended',
  ])('recognises no crawler in "%s"', (header) => {
    expect(recognizeCrawler(header)).toBeUndefined();
  });
});
