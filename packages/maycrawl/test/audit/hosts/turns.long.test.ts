/** Hosts that fail, pause or never end do not keep the crawl from the other hosts. */
import { expect, test } from 'vitest';
import type { TestServer } from '../../../../client/test/support/server.ts';
import { describeEnd } from '../../../src/audit/report/summary.ts';
import { crawlAll, resumeCrawl, serveSite } from '../crawling.ts';

const [OTHERS, HEALTHY] = [64, 5];

/** Serves a site whose start links to 20 pages. */
function servePages(
  address: string,
  respond: (path: string, times: number) => 'page' | 'reset' | 'silence' | string,
): Promise<TestServer> {
  const times = new Map<string, number>();
  const links = Array.from({ length: 20 }, (_, index) => `<a href="/${index}">page</a>`).join('');
  return serveSite(({ url = '', socket }, response) => {
    times.set(url, (times.get(url) ?? 0) + 1);
    const body = respond(url, times.get(url) as number);
    if (body === 'silence') return;
    if (body === 'reset') socket.destroy();
    else if (body !== 'page') response.end(body);
    else response.setHeader('content-type', 'text/html').end(url === '/' ? links : 'a page');
  }, address);
}

/** Serves 64 sites and then, in the order of their names, five healthy ones. */
async function serveSites(
  respond: (path: string, times: number) => 'page' | 'reset' | 'silence' | string,
): Promise<{ readonly others: TestServer[]; readonly healthy: TestServer[]; readonly starts: string[] }> {
  const others = Array.from({ length: OTHERS }, (_, index) => servePages(`127.0.0.${index + 2}`, respond));
  const healthy = Array.from({ length: HEALTHY }, (_, index) =>
    servePages(`127.0.1.${index + 1}`, (path) => (path === '/robots.txt' ? '' : 'page')),
  );
  const sites = { others: await Promise.all(others), healthy: await Promise.all(healthy) };
  return { ...sites, starts: [...sites.others, ...sites.healthy].map(({ origin }) => `${origin}/`) };
}

test('64 hosts that stop responding do not starve five others, neither in the first run nor in a resumed one', async () => {
  /** Requests for a robots.txt that get a response. Later ones fail like those for pages. */
  let answered = 1;
  const sites = await serveSites((path, times) => {
    if (path === '/robots.txt') return times <= answered ? '' : 'reset';
    return path === '/' && times === 1 ? 'page' : 'reset';
  });
  const options = { downTime: 0, concurrency: 8 };
  const first = await crawlAll(sites.starts, options);
  const fetched = (site: TestServer): string[] =>
    site.requests.filter((path) => path !== '/robots.txt').sort();
  for (const site of sites.healthy) expect(fetched(site).length).toBe(21);
  expect(first.end).toMatchObject({
    reason: 'no-responses',
    hosts: { unresponsive: OTHERS, all: OTHERS + HEALTHY },
  });
  expect(first.end.waiting).toBeGreaterThan(0);
  expect(describeEnd(first.end, first.run.counts())).toMatch(
    /^Not complete: 64 of 69 hosts stopped responding; [\d,]+ URLs are waiting\.$/,
  );
  // The pages of the healthy sites that are found later are fetched in the resumed run.
  const added = sites.healthy.map(({ origin }) => `${origin}/new`);
  first.run.addStarts(added, () => ({ state: 'waiting' }));
  answered = Number.POSITIVE_INFINITY;
  const second = await resumeCrawl(first, options);
  for (const site of sites.healthy) expect(fetched(site)).toContain('/new');
  expect(second.urls.filter(({ url, state }) => added.includes(url) && state === 'fetched').length).toBe(
    HEALTHY,
  );
});

test('80 hosts that respond are all crawled', async () => {
  // More than the crawl has in memory.
  const count = 80;
  const sites = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      servePages(`127.0.2.${1 + index}`, (path) => (path === '/robots.txt' ? '' : 'page')),
    ),
  );
  const crawled = await crawlAll(
    sites.map(({ origin }) => `${origin}/`),
    { settings: { sitemaps: false } },
  );
  expect(crawled.end.reason).toBe('complete');
  for (const { requests } of sites) expect(new Set(requests).size).toBe(22);
});

test.each([
  ['have a Crawl-delay of a day', 'User-agent: *\nCrawl-delay: 86400\n', 'page' as const],
  ['do not send a response', '', 'silence' as const],
])('64 hosts that %s do not starve five others', async (_title, robots, response) => {
  const sites = await serveSites((path) => {
    if (path === '/robots.txt') return robots;
    return path === '/' ? 'page' : response;
  });
  const healthy = new Set(sites.healthy.map(({ origin }) => new URL(origin).host));
  const controller = new AbortController();
  const count = (): number => sites.healthy.reduce((sum, { requests }) => sum + new Set(requests).size, 0);
  const crawled = await crawlAll(sites.starts, {
    ...{ obeysCrawlDelay: true, timeout: 3_000, signal: controller.signal },
    onProgress: () => {
      if (count() === HEALTHY * 22) controller.abort(new Error('the test is over'));
    },
  });
  const states = crawled.urls.filter(({ url }) => healthy.has(new URL(url).host));
  expect(states.length).toBe(HEALTHY * 21);
  expect(crawled.end.reason).toBe('interrupted');
  // The pause of a host is obeyed although its turn has ended.
  if (response === 'page')
    for (const { requests } of sites.others) expect(requests).toEqual(['/robots.txt', '/']);
});
