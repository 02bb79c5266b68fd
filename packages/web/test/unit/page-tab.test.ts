import { COMMON_CRAWLERS, type PageJson } from 'maycrawl/api';
import { expect, test } from 'vitest';
import { describeCause } from '../../src/tester/page/badges.tsx';
import { describeResponse } from '../../src/tester/page/hop-list.tsx';
import { describeResources } from '../../src/tester/page/resource-list.tsx';
import { addCommonCrawlers } from '../../src/tester/state/crawlers.ts';

const VERDICT = { agent: 'Googlebot', allowed: false, line: 3, rule: '/a', reason: 'rule', message: null };
const HOP: PageJson<'PageHop'> = {
  ...{ url: 'https://h.example/', robotsTxt: 'https://h.example/robots.txt', verdicts: [], problem: null },
  ...{ failure: null, status: 200, type: 'text/html', location: null, bytes: 1234, milliseconds: 12 },
};

test.each([
  [{}, 'Status 200, text/html, 1,234 bytes, 12 ms.'],
  [{ type: null, bytes: null }, 'Status 200, no media type, 12 ms.'],
  [{ status: 301, location: 'https://h.example/b' }, 'Status 301, redirects to https://h.example/b.'],
  [
    { status: 301, location: 'https://h.example/', problem: 'loop' as const },
    'Status 301, redirects to https://h.example/. That URL was requested before: the redirects have no end.',
  ],
  [
    { status: null, problem: 'disallowed' as const },
    'Not requested: no crawler that obeys the groups for all crawlers may fetch it.',
  ],
  [
    { status: null, problem: 'no-verdict' as const },
    'Not requested: whether a crawler may fetch it is unknown.',
  ],
  [{ status: null, failure: { code: 'timeout', message: 'too late' } }, 'No usable response: too late.'],
])('the response of %j', (change, text) => {
  expect(describeResponse({ ...HOP, ...change })).toBe(text);
});

const resource = (kind: 'script' | 'image', ...agents: readonly string[]) => ({
  ...{ kind, url: `https://h.example/${kind}` },
  blockedFor: agents.map((agent) => ({ ...VERDICT, agent })),
});
const host = (...resources: ReturnType<typeof resource>[]) => ({
  ...{ origin: 'https://h.example', problem: null, resources },
});

test.each([
  [{ total: 0, hosts: [] }, 'The page names no scripts, style sheets and images.'],
  [
    { total: 1, hosts: [host(resource('image'))] },
    'Its only resource, an image, is not blocked for Googlebot.',
  ],
  [
    { total: 1, hosts: [host(resource('script', 'Googlebot'))] },
    'Its only resource, a script, is blocked for Googlebot.',
  ],
  [
    { total: 2, hosts: [host(resource('image', 'GPTBot'), resource('script', 'Googlebot', 'GPTBot'))] },
    '1 of its 2 scripts, style sheets and images is blocked for Googlebot.',
  ],
  [
    { total: 2, hosts: [host(resource('image')), host(resource('script'))] },
    'None of its 2 scripts, style sheets and images are blocked for Googlebot.',
  ],
  [
    { total: 900, hosts: [host(resource('image'), resource('script'))] },
    'None of its 2 scripts, style sheets and images are blocked for Googlebot. There are 900; the others were not checked.',
  ],
])('the sentence about resources (%#)', (resources, text) => {
  expect(describeResources(resources, 'Googlebot')).toBe(text);
});

test.each([
  [{}, 'line 3'],
  [{ line: 0, reason: 'no-group' }, 'no group applies'],
  [{ line: 0, reason: 'unreachable', message: 'status 503' }, 'robots.txt cannot be fetched (status 503)'],
  [{ line: 0, reason: 'unavailable', message: 'status 404' }, 'no robots.txt (status 404)'],
  [{ line: 0, reason: 'too-much-work', message: 'too long' }, 'too long'],
  [{ line: 0, reason: 'new-reason' }, 'new-reason'],
])('the cause of %j', (change, text) => {
  expect(describeCause({ ...VERDICT, ...change })).toBe(text);
});

test('a page is checked for the crawlers of the matrix first, and for the common ones', () => {
  const names = addCommonCrawlers(['MyBot', 'bingbot']);
  expect(names.slice(0, 3)).toEqual(['MyBot', 'bingbot', 'Googlebot']);
  expect(names).toHaveLength(COMMON_CRAWLERS.length + 1);
  expect(addCommonCrawlers(Array.from({ length: 60 }, (_, bot) => `b${bot}`))).toHaveLength(60);
});
