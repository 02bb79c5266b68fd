import { parse, type RobotsTxt, resolveAgent } from '@maycrawl/core';
import { compareFiles } from '@maycrawl/core/proofs';
import { describe, expect, test, vi } from 'vitest';
import {
  NO_HISTORY,
  type OriginHistory,
  withFailure,
  withResponse,
} from '../../../client/src/robots/history.ts';
import { createFailure, createResponse } from '../../../client/test/support/histories.ts';
import { parseExpectations } from '../../src/expectations/expectations.ts';
import { getImpact } from '../../src/watch/analysis/impact/impact.ts';
import type { Impact, ImpactOptions } from '../../src/watch/analysis/impact/impact-types.ts';
import type { SiteState } from '../../src/watch/analysis/site-state.ts';
import { getPolicyAt } from '../../src/watch/analysis/site-state.ts';

const NOW = Date.UTC(2026, 0, 1);
const ORIGIN = 'https://h.example';

const toState = (history: OriginHistory): SiteState => ({ history, policy: getPolicyAt(history, NOW) });
const createState = (file: string): SiteState =>
  toState(withResponse(createResponse(NOW, { bytes: Buffer.from(file) })));
const createFailedState = (before: OriginHistory): SiteState =>
  toState(withFailure(before, createFailure(NOW)));

const createOptions = (
  given: Partial<ImpactOptions> = {},
  agents: readonly string[] = [],
): ImpactOptions => ({
  ...{ origin: ORIGIN, settings: { every: 1, agents, notify: [] }, urls: [], expectations: [] },
  ...given,
});

const getFileImpact = (before: string, after: string, given: ImpactOptions = createOptions()): Impact =>
  getImpact(createState(before), createState(after), given, NOW) as Impact;

const OPEN = 'User-agent: *\nAllow: /\n';
const SHOP = `${OPEN}\nUser-agent: Googlebot\nDisallow: /shop\n`;

describe('the settings of the owner', () => {
  test('a broken test is reported even if the change affects none of the crawlers in the settings', async () => {
    const expectations = await parseExpectations('- agent: Googlebot\n  allow: [/shop/1]\n', resolveAgent);
    const impact = getFileImpact(OPEN, SHOP, createOptions({ expectations }, ['bingbot']));
    expect(impact).toMatchObject({
      aspects: ['tests-broken'],
      severity: 'error',
      title: '1 of your tests broken',
    });
    expect(getFileImpact(SHOP, OPEN, createOptions({ expectations }, ['bingbot'])).aspects).toEqual([
      'tests-fixed',
    ]);
  });

  test('a change that affects only other crawlers is not reported as formatting', () => {
    const impact = getFileImpact(OPEN, SHOP, createOptions({}, ['bingbot']));
    expect(impact).toMatchObject({
      aspects: ['others'],
      title: 'verdicts change only for Googlebot and 6 others, which are not your crawlers',
    });
  });

  test('URLs are compared for every crawler if the settings name none', () => {
    const urls = ['/shop/1', '/shop/2', '/about'];
    expect(getFileImpact(OPEN, SHOP, createOptions({ urls }))).toMatchObject({
      aspects: ['blocked', 'urls-blocked'],
      severity: 'error',
      title: expect.stringMatching(
        /^newly blocked: \/shop for (Googlebot and \d+ others)\. \1: 2 of your 3 URLs newly blocked$/,
      ),
    });
  });

  test('a URL that becomes allowed for one crawler and blocked for another counts as blocked', () => {
    const before = 'User-agent: bingbot\nDisallow: /shop\n';
    const after = 'User-agent: Googlebot\nDisallow: /shop\n';
    const impact = getFileImpact(
      before,
      after,
      createOptions({ urls: ['/shop/1'] }, ['bingbot', 'Googlebot']),
    );
    expect(impact.aspects).toEqual(['blocked', 'allowed', 'urls-blocked', 'urls-allowed']);
    expect(impact.title).toBe(
      'newly blocked: /shop for Googlebot; newly allowed: /shop for bingbot. Googlebot: 1 of your 1 URL newly blocked; bingbot: 1 of your 1 URL newly allowed',
    );
  });

  test('URLs of other sites are ignored', () => {
    const urls = [`${ORIGIN}/shop/1`, 'https://other.example/shop/1', 'http://h.example/shop/2'];
    expect(getFileImpact(OPEN, SHOP, createOptions({ urls })).title).toMatch(
      /: 1 of your 1 URL newly blocked$/,
    );
  });
});

describe('rules that are too complex to compare', () => {
  const getRule = (index: number): string =>
    `Disallow: /*${((index * 7919) % 997).toString(36)}*${((index * 104_729) % 9_973).toString(36)}*x*${index % 13}\n`;
  const createGroup = (agent: string, from: number, count: number): string =>
    `User-agent: ${agent}\n${Array.from({ length: count }, (_, index) => getRule(from + index)).join('')}`;

  test('a URL of the owner that is newly blocked is an error', () => {
    const before = createGroup('*', 0, 15_000);
    const after = `${before.replaceAll('x*', 'y*')}Disallow: /shop\n`;
    expect(getFileImpact(before, after, createOptions({ urls: ['/shop', '/about'] }))).toMatchObject({
      aspects: ['undecided', 'urls-blocked', 'undecided'],
      severity: 'error',
      title: expect.stringMatching(/too complex.*: 1 of your 2 URLs newly blocked/),
    });
  });

  test('a home page that is newly blocked is an error, although other groups exceed the budget of the proofs', () => {
    const groups = Array.from({ length: 40 }, (_, index) =>
      createGroup(`a${String.fromCharCode(97 + (index % 26)).repeat(1 + index / 26)}`, index * 400, 400),
    );
    const before = groups.join('');
    const after = `${before.replaceAll('x*', 'y*')}User-agent: Googlebot\nDisallow: /\n`;
    expect(getFileImpact(before, after)).toMatchObject({
      kind: 'root-blocked',
      severity: 'error',
      title: expect.stringContaining('newly blocked: / for Googlebot'),
    });
  });
});

describe('declarations about the use of content', () => {
  const REFUSAL = 'User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n';

  test('a new refusal is reported with its crawlers and its line, and once', () => {
    expect(getFileImpact(OPEN, REFUSAL)).toMatchObject({
      kind: 'use-disallowed',
      aspects: ['use-disallowed'],
      severity: 'info',
      title: expect.stringMatching(
        /^AI training newly disallowed for GPTBot and \d+ others \(line 2: Content-Usage: train-ai=n\)$/,
      ),
      text: 'verdicts are the same',
      details: { equivalent: true, preferences: { equivalent: false, changes: [{ purpose: 'ai-train' }] } },
    });
  });

  test.each([
    ['a refusal that ends', REFUSAL, OPEN, 'refusal-ended', 'warning'],
    ['a refusal that becomes a permission', REFUSAL, REFUSAL.replace('=n', '=y'), 'refusal-ended', 'warning'],
    ['a permission', OPEN, REFUSAL.replace('=n', '=y'), 'use-allowed', 'info'],
    ['a refusal of search', OPEN, REFUSAL.replace('train-ai', 'search'), 'search-disallowed', 'warning'],
    ['a licence', OPEN, `License: https://h.example/l\n${OPEN}`, 'licenses', 'info'],
  ])('%s has an aspect and a severity of its own', (_name, before, after, aspect, severity) => {
    expect(getFileImpact(before, after)).toMatchObject({ aspects: [aspect], severity });
    const muted = createOptions({
      settings: { every: 1, agents: [], notify: [], severity: { [aspect]: 'error' } },
    });
    expect(getFileImpact(before, after, muted).severity).toBe('error');
  });

  test('another wording with the same effect is no change of preferences', () => {
    expect(getFileImpact(REFUSAL, REFUSAL.replace('train-ai', 'ai'))).toMatchObject({
      aspects: ['records'],
      title: 'added: content-usage: ai=n and 1 more; verdicts and preferences are the same',
    });
    expect(getFileImpact(REFUSAL, `# comment\n${REFUSAL}`).aspects).toEqual(['formatting']);
  });

  test('a rule for a policy token is a preference, and blocks no crawler', () => {
    const after = `${OPEN}\nUser-agent: Google-Extended\nDisallow: /\n`;
    expect(getFileImpact(OPEN, after)).toMatchObject({
      aspects: ['use-disallowed'],
      severity: 'info',
      title: expect.stringMatching(
        /^AI training and AI answers newly disallowed for Googlebot and \d others \(line 5, group Google-Extended: Disallow: \/\)$/,
      ),
    });
    // An owner who lists the token as a crawler has its verdicts, too.
    expect(getFileImpact(OPEN, after, createOptions({}, ['Google-Extended'])).aspects).toContain(
      'root-blocked',
    );
  });

  test('declarations for other crawlers than those of the owner are not reported', () => {
    const after = `${OPEN}\nUser-agent: GPTBot\nContent-Usage: train-ai=n\nAllow: /\n`;
    expect(getFileImpact(OPEN, after, createOptions({}, ['bingbot'])).aspects).toEqual(['records']);
    expect(getFileImpact(OPEN, after, createOptions({}, ['GPTBot'])).aspects).toEqual(['use-disallowed']);
  });

  test('a change of rules and declarations is one event', () => {
    const { aspects, severity, title, text } = getFileImpact(OPEN, `${SHOP}Content-Usage: train-ai=n\n`);
    expect(aspects).toEqual(['blocked', 'use-disallowed']);
    expect(severity).toBe('warning');
    expect(title).toMatch(
      /^newly blocked: \/shop for Googlebot and 6 others\. AI training newly disallowed for Googlebot and/,
    );
    expect(text).not.toContain('verdicts are the same');
  });

  test('declarations that are too complex are undecided, and no equivalence', () => {
    const createFile = (letter: string): string =>
      `User-agent: *\n${Array.from({ length: 2000 }, (_, index) => `Content-Usage: /*${index}*${letter} ai=n\n`).join('')}`;
    expect(getFileImpact(createFile('a'), createFile('b'))).toMatchObject({
      aspects: ['undecided'],
      severity: 'warning',
      title: 'the declarations are too complex to find all changes',
    });
  });
});

test('records that move to another crawler are not reported as formatting', () => {
  const [a, b] = ['a', 'b'].map((name) => `User-agent: ${name}\nDisallow: /x\nCrawl-delay: 1\n`);
  const both = (delayed: string): string =>
    ['a', 'b']
      .map((name) => `User-agent: ${name}\nDisallow: /x\n${name === delayed ? 'Crawl-delay: 1\n' : ''}`)
      .join('\n');
  expect(getFileImpact(both('a'), both('b')).aspects).toEqual(['records']);
  expect(getFileImpact(`${a}\n${b}`, `${b}\n${a}`).aspects).toEqual(['formatting']);
});

test.each(['<!doctype html>x', '\ufeff<!doctype html>x', '<!-- x --> <html>', '\n <?xml version="1.0"?>'])(
  'an HTML or XML page is reported as no robots.txt: %j',
  (page) => {
    expect(getFileImpact('User-agent: *\nDisallow: /a\n', page)).toMatchObject({
      severity: 'warning',
      title: 'robots.txt is an HTML page: every URL is allowed for every crawler',
      aspects: expect.arrayContaining(['no-text', 'unrestricted']),
    });
  },
);

test('a site that was unreachable at its first check has no file to compare with', () => {
  const impact = getImpact(
    createFailedState(NO_HISTORY),
    createState('User-agent: *\nDisallow: /\n'),
    createOptions(),
    NOW,
  );
  expect(impact).toMatchObject({
    aspects: ['recovered'],
    severity: 'info',
    title: 'reachable now; the file has 26 bytes',
  });
});

test('an outage is reported once while its effective policy is the same', () => {
  const before = createState(OPEN);
  const first = createFailedState(before.history);
  expect(getImpact(before, first, createOptions(), NOW)).toMatchObject({
    aspects: ['unreachable'],
    severity: 'error',
  });
  expect(getImpact(first, createFailedState(first.history), createOptions(), NOW)).toBeUndefined();
});

test('sitemaps that change beside rules are named in the title, and those of a missing file in the text', () => {
  const sitemap = 'Sitemap: https://h.example/s.xml\n';
  const agents = ['Googlebot'];
  expect(getFileImpact(OPEN, `${SHOP}${sitemap}`, createOptions({}, agents))).toMatchObject({
    aspects: ['blocked', 'records'],
    severity: 'warning',
    title: 'newly blocked: /shop for Googlebot. added: Sitemap: https://h.example/s.xml',
    text: 'newly blocked for Googlebot: /shop (before: line 2, Allow: /; now: line 5, Disallow: /shop)',
    details: { records: { added: ['Sitemap: https://h.example/s.xml'], removed: [] } },
  });
  expect(getFileImpact(`${SHOP}${sitemap}`, '', createOptions({}, agents))).toMatchObject({
    title: 'robots.txt is an empty file: every URL is allowed for every crawler',
    text: expect.stringContaining('removed: Sitemap: https://h.example/s.xml'),
  });
});

test('the title counts the same crawlers as maycrawl diff', () => {
  const after = 'User-agent: *\nDisallow: /shop\n';
  const { comparisons } = compareFiles(parse(OPEN), parse(after));
  const [count] = comparisons
    .filter(({ changes }) => changes.length > 0)
    .map(({ crawlers }) => crawlers.length);
  expect(getFileImpact(OPEN, after).title).toBe(
    `newly blocked: /shop for Googlebot and ${(count as number) - 1} others`,
  );
});

test('the work to compare records of other fields is linear in the number of groups', () => {
  const createGroups = (count: number, value: string): string =>
    `a:${value}\nuser-agent:a\nallow:/\n`.repeat(count);
  const prototype = Object.getPrototypeOf(parse('')) as RobotsTxt;
  let reads = 0;
  /** Counts the elements that are read, in loops as well as in the methods of arrays. */
  const count = <T extends object>(list: T): T =>
    new Proxy(list, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key) as unknown;
      },
    });
  const { groups, records } = prototype;
  vi.spyOn(prototype, 'groups').mockImplementation(function (this: RobotsTxt) {
    return count(groups.call(this));
  });
  vi.spyOn(prototype, 'records').mockImplementation(function (this: RobotsTxt) {
    return count(records.call(this));
  });
  const measure = (length: number): number => {
    reads = 0;
    expect(getFileImpact(createGroups(length, 'b'), createGroups(length, 'c')).aspects).toEqual(['records']);
    return reads;
  };
  try {
    const few = measure(500);
    expect(few).toBeGreaterThan(500);
    expect(measure(4_000)).toBeLessThanOrEqual(8 * few);
  } finally {
    vi.restoreAllMocks();
  }
});
