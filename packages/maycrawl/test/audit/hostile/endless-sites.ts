// Endless sites: every page links to a new URL.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { formatPage, type HostileSite } from './hostile-site.ts';

/** The maximum number of fetched URLs with one shape. */
export const MAX_ALIKE = 40;

/** Responds with a page of links to each URL under a path. */
function respondEndlessly(
  path: string,
  next: (target: string, count: number) => readonly string[],
): HostileSite['respond'] {
  let count = 0;
  return ({ target, response }) => {
    if (!target.startsWith(path)) return false;
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(formatPage(next(target, ++count).map((each) => each.replaceAll('&', '&amp;'))));
    return true;
  };
}

/** Returns an identifier that is unique for each seed, and equal in each run. */
const getId = (seed: string | number): string =>
  createHash('sha256').update(`${seed}`).digest('hex').slice(0, 32);

/** Expects at least one URL that was not fetched, and its reason. */
const expectTrap = (why: RegExp): Partial<HostileSite> => ({
  check: ({ urls }) => {
    const traps = urls.filter(({ state }) => state === 'crawl-trap');
    expect(traps.length).toBeGreaterThan(0);
    for (const trap of traps) expect(trap.stateReason).toMatch(why);
  },
});
const ALIKE = expectTrap(/^more than 40 URLs like /);
/** The limit of requests, with the start page, its robots.txt, the harmless pages, and the first page of each kind. */
const LIMIT = MAX_ALIKE + 8;

const createSite = (
  name: string,
  link: string,
  more: Partial<HostileSite>,
  respond: HostileSite['respond'],
): HostileSite => ({
  ...{ name, links: [link], respond, requests: LIMIT },
  outcomes: { [link]: 'fetched 200' },
  ...more,
});

function getNextMonth(target: string): string {
  const [year, month] = (/(\d{4})\D(\d+)/.exec(target) ?? []).slice(1).map(Number) as [number, number];
  return month === 12 ? `${year + 1}/1` : `${year}/${month + 1}`;
}

export const ENDLESS_SITES: readonly HostileSite[] = [
  createSite(
    'a calendar',
    '/cal/2026/11',
    ALIKE,
    respondEndlessly('/cal/', (target) => [`/cal/${getNextMonth(target)}`]),
  ),
  createSite(
    'a calendar with days',
    '/events/2026-11-01/list',
    ALIKE,
    respondEndlessly('/events/', (_, count) => [
      `/events/${2000 + (count % 99)}-0${1 + (count % 9)}-${10 + (count % 18)}/list`,
      `/events/2026-11-${count}/list`,
    ]),
  ),
  createSite(
    'a calendar in the query',
    '/calendar?year=2026&month=11',
    { ...ALIKE, links: ['/calendar?year=2026&amp;month=11'] },
    respondEndlessly('/calendar', (_, count) => [
      `/calendar?month=${count}&year=2026`,
      `/calendar?year=${count}&month=1`,
    ]),
  ),
  createSite(
    'a session in the query',
    '/shop',
    { ...ALIKE, requests: 2 * LIMIT },
    respondEndlessly('/shop', (_, count) => [`/shop?sid=${getId(count)}`, `/shop/cart?sid=${getId(-count)}`]),
  ),
  createSite(
    'a session in a parameter',
    '/app;jsessionid=1',
    { ...ALIKE, requests: 2 * LIMIT },
    respondEndlessly('/app', (_, count) => [
      `/app;jsessionid=${getId(count).toUpperCase()}`,
      `/app;jsessionid=${count}?x=1`,
    ]),
  ),
  createSite(
    'a query in every order',
    '/list?a=1',
    ALIKE,
    respondEndlessly('/list', (_, count) => {
      const names = ['color', 'size', 'sort', 'page'];
      const turned = names.map((_name, index) => names[(index * 3 + count) % 4] as string);
      return [`/list?${turned.map((each, index) => `${each}=${count * (index + 1)}`).join('&')}`];
    }),
  ),
  createSite(
    'a growing query',
    '/grow?f=0',
    ALIKE,
    respondEndlessly('/grow', (target, count) => [`${target}&f=${count}`]),
  ),
  createSite(
    'nested folders by a relative link',
    '/a/',
    { ...expectTrap(/more than \d+ times in the path/), requests: 20 },
    respondEndlessly('/a/', () => ['a/']),
  ),
  createSite(
    'folders with unique names',
    '/n/',
    { ...expectTrap(/segments|characters|times/), requests: 60 },
    respondEndlessly('/n/', (_, count) => [`${String.fromCharCode(97 + (count % 26))}${count}/`]),
  ),
  createSite(
    'words without end',
    '/w?q=a',
    { ...expectTrap(/characters|URLs like/), requests: 20 },
    respondEndlessly('/w', (target) => [`${target}%20${'a'.repeat(2_000)}`]),
  ),
  ...['/r?n=', '/rr/'].map(
    (path): HostileSite => ({
      name: `redirects to ${path}`,
      links: [`${path}1`],
      respond: ({ target, response }) => {
        if (!target.startsWith(path)) return false;
        response.writeHead(302, { Location: `${path}${Number(target.slice(path.length)) + 1}` }).end();
        return true;
      },
      outcomes: { [`${path}1`]: 'fetched 302', [`${path}2`]: 'fetched 302' },
      requests: 30,
      ...expectTrap(/successive redirects/),
    }),
  ),
  {
    // Each URL has the same page, so there are only as many URLs as links on it.
    name: 'a page for every URL',
    links: ['/soft/1'],
    respond: ({ target, response }) => {
      if (target === '/' || target === '/robots.txt') return false;
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(formatPage(['/soft/1', '/soft/2', 'soft/3', '/ok/1?ref=soft']));
      return true;
    },
    outcomes: { '/soft/1': 'fetched 200', '/soft/2': 'fetched 200', '/soft/soft/3': 'fetched 200' },
    requests: LIMIT,
    check: async ({ run, urls }) => {
      const digests = new Set<string>();
      for (const { key, path } of urls) {
        const page = run.page(key);
        if (path.startsWith('/soft') && page?.outcome.kind === 'page') digests.add(`${page.outcome.digest}`);
      }
      expect(digests.size).toBe(1);
    },
  },
  {
    name: 'a URL of 100 kB',
    links: [`/${'long'.repeat(25_000)}`],
    respond: () => false,
    outcomes: {},
    requests: 5,
    ...expectTrap(/^longer than 8192 characters$/),
  },
  {
    name: 'a redirect to a URL of 15 kB',
    respond: ({ target, response }) => {
      if (target !== '/hostile') return false;
      response.writeHead(301, { Location: `/${'x'.repeat(15_000)}` }).end();
      return true;
    },
    outcomes: { '/hostile': 'fetched 301' },
    requests: 6,
    ...expectTrap(/^longer than 8192 characters$/),
  },
  {
    name: '100,000 links',
    respond: ({ target, response }) => {
      if (target !== '/hostile') return false;
      response.writeHead(200, { 'Content-Type': 'text/html' });
      // Links to another site, so that they are not judged.
      const links = Array.from({ length: 100_100 }, (_, index) => `http://elsewhere.example/${index}`);
      response.end(formatPage(links));
      return true;
    },
    outcomes: { '/hostile': 'fetched 200 cut' },
    requests: 6,
    check: async ({ run, urls }) => {
      const links = run.links(urls.find(({ path }) => path === '/hostile')?.key ?? -1);
      expect(links.length).toBe(100_000);
    },
  },
];
