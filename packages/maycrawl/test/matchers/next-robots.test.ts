import { describe, expect, test } from 'vitest';
import { type NextRobots, serializeNextRobots } from '../../src/matchers/next-robots.ts';

describe('the text of MetadataRoute.Robots', () => {
  // What Next.js sends for these objects, by its source.
  test.each<[title: string, robots: NextRobots, text: string]>([
    [
      'has groups, then the host, then sitemaps',
      {
        sitemap: ['https://shop.example/a.xml', 'https://shop.example/b.xml'],
        host: 'https://shop.example',
        rules: [
          { disallow: ['/a', '/b'], allow: '/', crawlDelay: 2, userAgent: ['Googlebot', 'Bingbot'] },
          { userAgent: 'GPTBot', disallow: '/' },
        ],
      },
      'User-Agent: Googlebot\nUser-Agent: Bingbot\nAllow: /\nDisallow: /a\nDisallow: /b\nCrawl-delay: 2\n\nUser-Agent: GPTBot\nDisallow: /\n\nHost: https://shop.example\nSitemap: https://shop.example/a.xml\nSitemap: https://shop.example/b.xml\n',
    ],
    ['is for all crawlers without userAgent', { rules: { allow: '/' } }, 'User-Agent: *\nAllow: /\n\n'],
    [
      'lacks empty values',
      { rules: { disallow: '', crawlDelay: 0, userAgent: '' }, host: '' },
      'User-Agent: *\n\n',
    ],
    ['has the empty values of lists', { rules: { disallow: [''] } }, 'User-Agent: *\nDisallow: \n\n'],
    [
      'has no user-agent line for an empty list',
      { rules: { userAgent: [], disallow: '/' } },
      'Disallow: /\n\n',
    ],
    ['is empty without rules', { rules: [] }, ''],
    [
      'has other keys as they are',
      {
        rules: {
          'Request-rate': '1/5',
          Visit: [1, ''],
          none: undefined,
          nothing: null,
        } as NextRobots['rules'],
      },
      'User-Agent: *\nRequest-rate: 1/5\nVisit: 1\nVisit: \n\n',
    ],
  ])('%s', (_, robots, text) => {
    expect(serializeNextRobots(robots)).toBe(text);
  });

  test.each<[message: string, robots: object]>([
    ['has no key "dissallow". Did you mean "disallow"?', { rules: { dissallow: '/' } }],
    ['has no key "useragent". Did you mean "userAgent"?', { rules: { useragent: 'a' } }],
    ['has no key "sitemaps". Did you mean "sitemap"?', { rules: [], sitemaps: [] }],
    ['a rule of Next.js must be an object, not undefined', { rules: undefined }],
    ['a rule of Next.js must be an object, not "/"', { rules: ['/'] }],
    ['"disallow" of Next.js must be text, a number or a list of them', { rules: { disallow: [{}] } }],
    ['"host" of Next.js must be text, a number or a list of them, not true', { rules: [], host: true }],
  ])('%s', (message, robots) => {
    expect(() => serializeNextRobots(robots as NextRobots)).toThrow(message);
  });
});
