/** URLs of callers: strings, and instances of URL. */
import { describe, expect, test } from 'vitest';
import { fetchRobotsTxt, RobotsClient, refetchRobotsTxt } from '../../src/index.ts';
import * as http from '../../src/internal.ts';
import { fetchText } from '../support/results.ts';

/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

const HOME = 'http://a.example/';
const fetcher = fetchText(
  'User-agent: TestBot\nDisallow: /private\nSitemap: http://b.example/ツ.xml\nSitemap: /relative.xml\nSitemap: ftp://c.example/s\nSitemap: mailto:a@b.example\nCrawl-delay: 3\n',
);
const create = (): RobotsClient =>
  new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot/1.0', loading: 'on-demand', fetcher });

describe('instances of URL', () => {
  const url = new URL('http://a.example/private');

  test('are URLs in all methods of a client', async () => {
    const mine = create();
    expect((await mine.decide(url)).kind).toBe('disallowed');
    expect((await mine.decide(url, { redirectedFrom: new URL(HOME) })).kind).toBe('disallowed');
    expect((await mine.robots(url)).origin).toBe('http://a.example');
    expect(await mine.crawlDelay(url)).toBe(3);
    expect(await mine.sitemaps(url)).toHaveLength(2);
    expect((await mine.preferences(url)).url).toBe(url.href);
    const results: unknown[] = [];
    for await (const each of mine.decideAll([url, any(5), any(null), any({ href: 'x' })])) results.push(each);
    expect(results).toHaveLength(4);
    expect(results).toContainEqual({
      url: url.href,
      verdict: expect.objectContaining({ kind: 'disallowed' }),
    });
    for (const invalid of ['5', 'null', 'x'])
      expect(results).toContainEqual({ url: invalid, error: expect.any(Error) });
  });

  test('are URLs for a fetch, and count as they are at the time of the call', async () => {
    const unreachable = new URL('http://127.0.0.1:1/robots.txt');
    expect(await fetchRobotsTxt(unreachable)).toMatchObject({ kind: 'unreachable' });
    expect(await refetchRobotsTxt(unreachable, undefined, {})).toMatchObject({ kind: 'unreachable' });
    const changed = new URL(url);
    const verdict = create().decide(changed);
    changed.pathname = '/open';
    expect((await verdict).kind).toBe('disallowed');
    expect(
      http
        .createAddressPolicy({ openOrigins: new Set([unreachable]) })
        .permits('http://127.0.0.1:1', '127.0.0.1'),
    ).toBe(true);
  });

  test('values that are no URLs are refused', async () => {
    for (const value of [5, null, undefined, {}, ['http://a.example/']]) {
      await expect(create().decide(any(value))).rejects.toThrow(TypeError);
      await expect(create().robots(any(value))).rejects.toThrow(TypeError);
      await expect(fetchRobotsTxt(any(value))).rejects.toThrow(TypeError);
    }
  });
});

test('the sitemaps of a client are the absolute URLs as the file writes them; those of a file are all lines', async () => {
  const mine = create();
  expect(await mine.sitemaps(HOME)).toEqual(['http://b.example/ツ.xml', 'ftp://c.example/s']);
  const { policy: rules } = await mine.robots(HOME);
  const lines = rules.kind === 'rules' ? rules.robots.sitemaps().map(({ text }) => text) : [];
  expect(lines).toEqual([
    'http://b.example/ツ.xml',
    '/relative.xml',
    'ftp://c.example/s',
    'mailto:a@b.example',
  ]);
});
