import { resolveAgent } from '@maycrawl/core';
import { describe, expect, test } from 'vitest';
import { NO_HISTORY, withFailure, withResponse } from '../../../client/src/robots/history.ts';
import { parseExpectations } from '../../src/expectations/expectations.ts';
import type { ImpactOptions } from '../../src/watch/analysis/aspects.ts';
import { getImpact, getPolicyAt, type Impact, type SiteState } from '../../src/watch/analysis/impact.ts';

const NOW = Date.UTC(2026, 0, 1);
const ORIGIN = 'https://h.example';
const HEADERS = {
  cacheControl: null,
  expires: null,
  date: null,
  age: null,
  etag: null,
  lastModified: null,
  retryAfter: null,
};

function found(file: string): SiteState {
  const told = { status: 200, code: null, message: null, headers: HEADERS, hops: [], timings: { total: 1 } };
  const times = { fetchedAt: NOW, freshUntil: NOW + 60_000 };
  const history = withResponse({ kind: 'successful', ...times, bytes: Buffer.from(file), ...told });
  return { history, policy: getPolicyAt(history, NOW) };
}

const failing = (before: SiteState['history']): SiteState => {
  const told = {
    code: 'http-status',
    status: 503,
    message: 'status 503',
    retryAt: null,
    saysNotFound: false,
  } as const;
  const history = withFailure(before, { at: NOW, ...told, hops: [], timings: { total: 1 } });
  return { history, policy: getPolicyAt(history, NOW) };
};

const concerns = (given: Partial<ImpactOptions> = {}, agents: readonly string[] = []): ImpactOptions => ({
  ...{ origin: ORIGIN, settings: { every: 1, agents, notify: [] }, urls: [], expectations: [] },
  ...given,
});

const change = (before: string, after: string, given: ImpactOptions = concerns()): Impact =>
  getImpact(found(before), found(after), given, NOW) as Impact;

const OPEN = 'User-agent: *\nAllow: /\n';
const SHOP = `${OPEN}\nUser-agent: Googlebot\nDisallow: /shop\n`;

describe('what matters to the owner', () => {
  test('tests count also where the crawlers that matter see no change', async () => {
    const expectations = await parseExpectations('- agent: Googlebot\n  allow: [/shop/1]\n', resolveAgent);
    const impact = change(OPEN, SHOP, concerns({ expectations }, ['bingbot']));
    expect(impact).toMatchObject({
      aspects: ['tests-broken'],
      severity: 'error',
      title: '1 of your tests broken',
    });
    expect(change(SHOP, OPEN, concerns({ expectations }, ['bingbot'])).aspects).toEqual(['tests-fixed']);
  });

  test('what changes for others only is no formatting', () => {
    const impact = change(OPEN, SHOP, concerns({}, ['bingbot']));
    expect(impact).toMatchObject({
      aspects: ['others'],
      title: 'verdicts change only for crawlers that are not yours',
    });
  });

  test('URLs count for every crawler where none is named', () => {
    const urls = ['/shop/1', '/shop/2', '/about'];
    expect(change(OPEN, SHOP, concerns({ urls }))).toMatchObject({
      aspects: ['blocked', 'urls-blocked'],
      severity: 'error',
      title: expect.stringMatching(
        /^newly blocked: \/shop for Googlebot and \d+ others; 2 of your 3 URLs newly blocked$/,
      ),
    });
  });

  test('a URL that opens for one crawler and closes for another is blocked', () => {
    const before = 'User-agent: bingbot\nDisallow: /shop\n';
    const after = 'User-agent: Googlebot\nDisallow: /shop\n';
    const impact = change(before, after, concerns({ urls: ['/shop/1'] }, ['bingbot', 'Googlebot']));
    expect(impact.aspects).toEqual(['blocked', 'allowed', 'urls-blocked']);
  });

  test('URLs of other sites do not count', () => {
    const urls = [`${ORIGIN}/shop/1`, 'https://other.example/shop/1', 'http://h.example/shop/2'];
    expect(change(OPEN, SHOP, concerns({ urls })).title).toMatch(/1 of your 1 URLs newly blocked$/);
  });
});

test('records that move to another crawler are no formatting', () => {
  const [a, b] = ['a', 'b'].map((name) => `User-agent: ${name}\nDisallow: /x\nCrawl-delay: 1\n`);
  const both = (delayed: string): string =>
    ['a', 'b']
      .map((name) => `User-agent: ${name}\nDisallow: /x\n${name === delayed ? 'Crawl-delay: 1\n' : ''}`)
      .join('\n');
  expect(change(both('a'), both('b')).aspects).toEqual(['records']);
  expect(change(`${a}\n${b}`, `${b}\n${a}`).aspects).toEqual(['formatting']);
});

test.each(['<!doctype html>x', '\ufeff<!doctype html>x', '<!-- x --> <html>', '\n <?xml version="1.0"?>'])(
  'a page is no file: %j',
  (page) => {
    expect(change('User-agent: *\nDisallow: /a\n', page)).toMatchObject({
      severity: 'error',
      aspects: expect.arrayContaining(['no-text']),
    });
  },
);

test('a site that was down when it was first asked has nothing to compare with', () => {
  const impact = getImpact(failing(NO_HISTORY), found('User-agent: *\nDisallow: /\n'), concerns(), NOW);
  expect(impact).toMatchObject({
    aspects: ['recovered'],
    severity: 'info',
    title: 'reachable now; the file has 26 bytes',
  });
});

test('an outage is told once, as long as it means the same', () => {
  const before = found(OPEN);
  const first = failing(before.history);
  expect(getImpact(before, first, concerns(), NOW)).toMatchObject({
    aspects: ['unreachable'],
    severity: 'warning',
  });
  expect(getImpact(first, failing(first.history), concerns(), NOW)).toBeUndefined();
});
