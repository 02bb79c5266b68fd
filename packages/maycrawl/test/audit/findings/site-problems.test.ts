/** What an owner must read first: parts of a site that crawlers do not read or index. Expectations are written by hand. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFailures } from '../../../src/audit/report/fail-on.ts';
import { summarizeRun } from '../../../src/audit/report/summary.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { type Answer, html, makeRun, type Site } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { createSite, HEADER, NOINDEX, ORIGIN, pagesOf } from './site-of-folders.ts';

const folder = createTestFolder('site-problems');

/** Runs an audit of the site, and returns what `use` makes of it. */
async function audit<T>(site: Site, use: (run: RunStore) => T): Promise<T> {
  const run = await makeRun(join(folder, `${randomUUID()}.sqlite`), site);
  try {
    return use(run);
  } finally {
    run.close();
  }
}

/** Lists the groups of findings of a crawler in their order: severity, number of URLs, code and detail. */
function listGroups(run: RunStore, agent = 0): string[] {
  return (summarizeRun(run).agents[agent]?.findings ?? []).flatMap(({ code, severity }) =>
    run.findings
      .countDetails(code, agent, severity)
      .map(({ detail, count }) => `${severity} ${count} ${code}: ${detail}`),
  );
}

const withoutInfo = (groups: readonly string[]): string[] =>
  groups.filter((each) => !each.startsWith('info'));

test('a shop whose every page has noindex is not without findings', async () => {
  const site = createSite(pagesOf('/shop/', 30), (path) => ({ body: html(path), headers: HEADER }));
  expect(await audit(site, listGroups)).toEqual([
    'error 1 home-not-indexable: noindex in a header, nearly the whole site',
    'error 1 site-not-indexable: 31 of 31 pages: 31 with noindex',
    'error 31 noindex-pages: noindex in a header, nearly the whole site: 31 of 31 pages',
  ]);
});

test('one line that blocks 30 of 31 pages is an error that names the line', async () => {
  const site = createSite(pagesOf('/shop/', 30), undefined, 'User-agent: *\nDisallow: /s # shop\n');
  expect(withoutInfo(await audit(site, listGroups))).toEqual([
    'error 1 site-not-indexable: 30 of 31 pages: 30 blocked by robots.txt',
    'error 30 blocked-pages: robots.txt, line 2 (Disallow: /s # shop): 30 of 31 pages',
  ]);
});

test('a robots.txt that blocks everything is an error of the home page', async () => {
  const site = createSite([], undefined, 'User-agent: *\nDisallow: /\n');
  expect(await audit(site, listGroups)).toEqual([
    'error 1 home-not-indexable: robots.txt, line 2 (Disallow: /)',
    'info 1 blocked-pages: robots.txt, line 2 (Disallow: /): 1 of 1 page',
  ]);
});

test('a robots.txt that cannot be fetched is named as the cause', async () => {
  const policy = { kind: 'disallow-all', reason: 'unreachable' } as const;
  const site = createSite([], undefined, { policy, code: 'timeout', message: 'no response' } as never);
  expect(await audit(site, listGroups)).toContain('error 1 home-not-indexable: robots.txt cannot be fetched');
});

test.each([
  ['responds with an error', { status: 503 }, 'status 503'],
  ['was not found', { status: 404 }, 'status 404'],
  ['does not respond', { failure: 'timeout' }, 'no response'],
])('a home page that %s is an error of its own', async (_, answer, detail) => {
  const site = createSite([]);
  const groups = await audit({ ...site, answers: { [`${ORIGIN}/`]: answer } }, listGroups);
  expect(groups[0]).toBe(`error 1 home-not-indexable: ${detail}`);
});

test('a home page that redirects or names another canonical is no such error', async () => {
  const redirect = { status: 301, headers: { location: '/en/' } };
  const site = createSite([], () => ({ body: '<link rel="canonical" href="/en/">' }));
  for (const start of [redirect, site.answers[`${ORIGIN}/`] as Answer]) {
    const answers = { [`${ORIGIN}/`]: start, [`${ORIGIN}/en/`]: { body: html('Home') } };
    expect((await audit({ ...site, answers }, listGroups)).join()).not.toContain('home-not-indexable');
  }
});

test('a folder in which everything is missing is an error that names its share', async () => {
  const site = createSite([...pagesOf('/ja/', 12), ...pagesOf('/en/', 12)], (path) =>
    path.startsWith('/ja/') ? { status: 404 } : { body: html(path) },
  );
  expect(await audit(site, listGroups)).toContain('error 1 failing-folder: /ja/: 100 % not found (12 URLs)');
});

test('errors of all kinds count in a folder that leads only to errors', async () => {
  const answers: readonly Answer[] = [{ status: 404 }, { status: 500 }, { failure: 'timeout' }];
  const site = createSite([...pagesOf('/ja/', 12), ...pagesOf('/en/', 12)], (path) =>
    path.startsWith('/ja/')
      ? (answers[Number(path.slice('/ja/'.length)) % answers.length] as Answer)
      : { body: html(path) },
  );
  expect(await audit(site, listGroups)).toContain(
    'error 1 failing-folder: /ja/: 33 % not found, 33 % with an error, 33 % without a response (12 URLs)',
  );
});

test.each([4, 10])(
  'a folder with %i missing pages beside two others is no failing folder',
  async (missing) => {
    const site = createSite([...pagesOf('/ja/', missing), '/ja/x', '/ja/y'], (path) =>
      /\d$/.test(path) ? { status: 404 } : { body: html(path) },
    );
    expect((await audit(site, listGroups)).join()).not.toContain('failing-folder');
  },
);

test('the size of a blocked part decides about its severity', async () => {
  const paths = [...pagesOf('/a/', 75), ...pagesOf('/large/', 20), ...pagesOf('/few/', 4)];
  const site = createSite(paths, undefined, 'User-agent: *\nDisallow: /large\nDisallow: /few\n');
  const groups = (await audit(site, listGroups)).filter((each) => each.includes('blocked-pages'));
  expect(groups).toEqual([
    'warning 20 blocked-pages: robots.txt, line 2 (Disallow: /large): 20 of 100 pages',
    'info 4 blocked-pages: robots.txt, line 3 (Disallow: /few): 4 of 100 pages',
  ]);
});

test('what a site plainly does not want in an index is information', async () => {
  const paths = [
    ...pagesOf('/p/', 3),
    ...pagesOf('/search/', 9),
    ...pagesOf('/p/1?sort=', 9),
    '/cart',
    '/account',
  ];
  const robots = 'User-agent: *\nDisallow: /search\nDisallow: /*?\nDisallow: /cart\n';
  const site = createSite(
    paths,
    (path) => ({ body: html(path, [], path === '/account' ? NOINDEX : '') }),
    robots,
  );
  const groups = await audit(site, listGroups);
  expect(withoutInfo(groups)).toEqual([]);
  expect(groups).toEqual(
    expect.arrayContaining([
      'info 9 blocked-pages: robots.txt, line 2 (Disallow: /search): 9 of 24 pages',
      'info 9 blocked-pages: robots.txt, line 3 (Disallow: /*?): 9 of 24 pages',
      'info 1 noindex-pages: noindex in a meta element, searches, carts, accounts, parameters and the like: 1 of 24 pages',
    ]),
  );
});

test('pages with noindex are grouped by where it is and by folder', async () => {
  const paths = [...pagesOf('/a/', 40), ...pagesOf('/b/', 10), ...pagesOf('/c/', 10)];
  const site = createSite(paths, (path) => ({
    body: html(path, [], path.startsWith('/b/') ? NOINDEX : ''),
    ...(path.startsWith('/c/') && { headers: HEADER }),
  }));
  expect((await audit(site, listGroups)).filter((each) => each.includes('noindex-pages'))).toEqual([
    'warning 10 noindex-pages: noindex in a header, /c/: 10 of 61 pages',
    'warning 10 noindex-pages: noindex in a meta element, /b/: 10 of 61 pages',
  ]);
});

test('a crawler that only trains models has no findings about indexing, and what is blocked is information', async () => {
  const robots = 'User-agent: GPTBot\nUser-agent: DuckDuckBot\nDisallow: /\n';
  const site = createSite(['/a', '/b'], (path) => ({ body: html(path, [], NOINDEX) }), robots);
  const agents = ['Googlebot', 'GPTBot', 'DuckDuckBot'];
  const sitemaps = { [`${ORIGIN}/sitemap.xml`]: [`${ORIGIN}/a`] };
  const [trains, indexes, failures] = await audit({ ...site, agents, sitemaps }, (run) => [
    listGroups(run, 1),
    listGroups(run, 2),
    findFailures(run, ['any', 'severity:error', 'listed-not-indexable']),
  ]);
  expect(trains).toEqual(['info 3 blocked-pages: robots.txt, line 3 (Disallow: /): 3 of 3 pages']);
  expect(indexes).toEqual([
    'error 1 home-not-indexable: robots.txt, line 3 (Disallow: /)',
    'error 1 site-not-indexable: 3 of 3 pages: 3 blocked by robots.txt',
    'error 3 blocked-pages: robots.txt, line 3 (Disallow: /): 3 of 3 pages',
    'error 1 listed-not-indexable: blocked',
    'warning 3 hidden-noindex: null',
  ]);
  expect(failures.map(({ agent, kind, count }) => `${agent} ${kind} ${count}`)).toEqual([
    ...['Googlebot any 3', 'Googlebot severity:error 3', 'Googlebot listed-not-indexable 1'],
    ...['GPTBot any 0', 'GPTBot severity:error 0', 'GPTBot listed-not-indexable 0'],
    ...['DuckDuckBot any 3', 'DuckDuckBot severity:error 3', 'DuckDuckBot listed-not-indexable 1'],
  ]);
});

test('reasons fail for a crawler that does not index pages if the run has no other one', async () => {
  const site = createSite(['/a'], undefined, 'User-agent: *\nDisallow: /a\n');
  const failures = await audit({ ...site, agents: ['GPTBot'] }, (run) => findFailures(run, ['blocked']));
  expect(failures.map(({ count }) => count)).toEqual([1]);
});

test('findings have the order of their URLs and of the links to them, not of their codes', async () => {
  const missing = pagesOf('/missing/', 40);
  const site = createSite([...missing, ...pagesOf('/p/', 60), '/loop'], (path) => {
    if (path.startsWith('/missing/')) return { status: 404 };
    return path === '/loop' ? { status: 301, headers: { location: '/loop' } } : { body: html(path, missing) };
  });
  const codes = await audit(site, (run) => summarizeRun(run).agents[0]?.findings.map(({ code }) => code));
  expect(codes?.slice(0, 3)).toEqual(['broken-link', 'failing-folder', 'redirect-loop']);
});
