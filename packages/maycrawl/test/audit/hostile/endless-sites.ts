/**
 * Sites that have no end: every page leads to one that was never seen.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type HostileSite, pageWith } from './hostile-site.ts';

/** URLs of one shape that are fetched, in these tests. */
export const MAX_ALIKE = 40;

/** A page under a path leads to others. */
function endless(
  path: string,
  next: (target: string, count: number) => readonly string[],
): HostileSite['answer'] {
  let count = 0;
  return ({ target, response }) => {
    if (!target.startsWith(path)) return false;
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(pageWith(next(target, ++count).map((each) => each.replaceAll('&', '&amp;'))));
    return true;
  };
}

/** Something that is another each time, and the same at each run. */
const idOf = (seed: string | number): string =>
  createHash('sha256').update(`${seed}`).digest('hex').slice(0, 32);

/** There is a URL that was not fetched, and it is said why. */
const stopped = (why: RegExp): Partial<HostileSite> => ({
  check: ({ urls }) => {
    const traps = urls.filter(({ state }) => state === 'trap');
    expect(traps.length).toBeGreaterThan(0);
    for (const trap of traps) expect(trap.why).toMatch(why);
  },
});
const ALIKE = stopped(/^more than 40 URLs like /);
/** The start page, its robots.txt, the harmless pages, and the first of each kind are fetched as well. */
const LIMIT = MAX_ALIKE + 8;

const site = (
  name: string,
  link: string,
  answer: HostileSite['answer'],
  more: Partial<HostileSite>,
): HostileSite => ({
  ...{ name, links: [link], answer, requests: LIMIT },
  outcomes: { [link]: 'fetched 200' },
  ...more,
});

function monthAfter(target: string): string {
  const [year, month] = (/(\d{4})\D(\d+)/.exec(target) ?? []).slice(1).map(Number) as [number, number];
  return month === 12 ? `${year + 1}/1` : `${year}/${month + 1}`;
}

export const ENDLESS_SITES: readonly HostileSite[] = [
  site(
    'a calendar',
    '/cal/2026/11',
    endless('/cal/', (target) => [`/cal/${monthAfter(target)}`]),
    ALIKE,
  ),
  site(
    'a calendar with days',
    '/events/2026-11-01/list',
    endless('/events/', (_, count) => [
      `/events/${2000 + (count % 99)}-0${1 + (count % 9)}-${10 + (count % 18)}/list`,
      `/events/2026-11-${count}/list`,
    ]),
    ALIKE,
  ),
  site(
    'a calendar in the query',
    '/calendar?year=2026&month=11',
    endless('/calendar', (_, count) => [
      `/calendar?month=${count}&year=2026`,
      `/calendar?year=${count}&month=1`,
    ]),
    { ...ALIKE, links: ['/calendar?year=2026&amp;month=11'] },
  ),
  site(
    'a session in the query',
    '/shop',
    endless('/shop', (_, count) => [`/shop?sid=${idOf(count)}`, `/shop/cart?sid=${idOf(-count)}`]),
    { ...ALIKE, requests: 2 * LIMIT },
  ),
  site(
    'a session in the path',
    '/s/start',
    endless('/s/', (_, count) => [`/s/${idOf(count)}/home`]),
    ALIKE,
  ),
  site(
    'a session in a parameter',
    '/app;jsessionid=1',
    endless('/app', (_, count) => [
      `/app;jsessionid=${idOf(count).toUpperCase()}`,
      `/app;jsessionid=${count}?x=1`,
    ]),
    { ...ALIKE, requests: 2 * LIMIT },
  ),
  site(
    'a query in every order',
    '/list?a=1',
    endless('/list', (_, count) => {
      const names = ['color', 'size', 'sort', 'page'];
      const turned = names.map((_name, index) => names[(index * 3 + count) % 4] as string);
      return [`/list?${turned.map((each, index) => `${each}=${count * (index + 1)}`).join('&')}`];
    }),
    ALIKE,
  ),
  site(
    'a query that grows',
    '/grow?f=0',
    endless('/grow', (target, count) => [`${target}&f=${count}`]),
    ALIKE,
  ),
  site(
    'folders in folders, by a relative link',
    '/a/',
    endless('/a/', () => ['a/']),
    { ...stopped(/more than \d+ times in the path/), requests: 20 },
  ),
  site(
    'two folders in turn',
    '/x/y/',
    endless('/x/', () => ['x/y/']),
    { ...stopped(/times in the path/), requests: 20 },
  ),
  site(
    'folders that are all different',
    '/n/',
    endless('/n/', (_, count) => [`${String.fromCharCode(97 + (count % 26))}${count}/`]),
    { ...stopped(/segments|characters|times/), requests: 60 },
  ),
  site(
    'words without end',
    '/w?q=a',
    endless('/w', (target) => [`${target}%20${'a'.repeat(2_000)}`]),
    { ...stopped(/characters|URLs like/), requests: 20 },
  ),
  {
    name: 'redirects in a query',
    links: ['/r?n=1'],
    answer: ({ target, response }) => {
      const number = Number(/^\/r\?n=(\d+)$/.exec(target)?.[1] ?? 0);
      if (number === 0) return false;
      response.writeHead(302, { Location: `/r?n=${number + 1}` }).end();
      return true;
    },
    outcomes: { '/r?n=1': 'fetched 302', '/r?n=2': 'fetched 302' },
    requests: 30,
    ...stopped(/successive redirects/),
  },
  {
    name: 'redirects by the path',
    links: ['/rr/1'],
    answer: ({ target, response }) => {
      const number = Number(/^\/rr\/(\d+)$/.exec(target)?.[1] ?? 0);
      if (number === 0) return false;
      response.writeHead(302, { Location: `/rr/${number + 1}` }).end();
      return true;
    },
    outcomes: { '/rr/1': 'fetched 302', '/rr/20': 'fetched 302' },
    requests: 30,
    ...stopped(/successive redirects/),
  },
  {
    // Each URL is the same page, whatever it is: there are no more of them than links on it.
    name: 'a page for every URL',
    links: ['/soft/1'],
    answer: ({ target, response }) => {
      if (target === '/' || target === '/robots.txt') return false;
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(pageWith(['/soft/1', '/soft/2', 'soft/3', '/ok/1?ref=soft']));
      return true;
    },
    outcomes: { '/soft/1': 'fetched 200', '/soft/2': 'fetched 200', '/soft/soft/3': 'fetched 200' },
    requests: LIMIT,
    check: async ({ run, urls }) => {
      const digests = new Set<string>();
      for (const { key, path } of urls) {
        const page = await run.page(key);
        if (path.startsWith('/soft') && page?.outcome.kind === 'page') digests.add(`${page.outcome.digest}`);
      }
      expect(digests.size).toBe(1);
    },
  },
  {
    name: 'a URL of 100 kB',
    links: [`/${'long'.repeat(25_000)}`],
    answer: () => false,
    outcomes: {},
    requests: 5,
    ...stopped(/^longer than 8192 characters$/),
  },
  {
    name: 'a redirect to a URL of 15 kB',
    answer: ({ target, response }) => {
      if (target !== '/hostile') return false;
      response.writeHead(301, { Location: `/${'x'.repeat(15_000)}` }).end();
      return true;
    },
    outcomes: { '/hostile': 'fetched 301' },
    requests: 6,
    ...stopped(/^longer than 8192 characters$/),
  },
  {
    name: '100,000 links',
    answer: ({ target, response }) => {
      if (target !== '/hostile') return false;
      response.writeHead(200, { 'Content-Type': 'text/html' });
      // To somebody else, so that they need not be judged.
      const links = Array.from({ length: 100_100 }, (_, index) => `http://elsewhere.example/${index}`);
      response.end(pageWith(links));
      return true;
    },
    outcomes: { '/hostile': 'fetched 200 cut' },
    requests: 6,
    check: async ({ run, urls }) => {
      const leads = await run.links(urls.find(({ path }) => path === '/hostile')?.key ?? -1);
      expect(leads.length).toBe(100_000);
    },
  },
];
