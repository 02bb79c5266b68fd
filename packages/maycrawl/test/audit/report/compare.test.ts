import { decide } from '@maycrawl/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { compareRuns, getComparable, type RunChange } from '../../../src/audit/report/compare/compare.ts';
import { compareTitles } from '../../../src/audit/report/compare/title-changes.ts';
import { UrlReporter } from '../../../src/audit/report/url-report.ts';
import { compareUrls } from '../../../src/audit/report/urls/url-order.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { type Answer, gather, html, type Site, withRuns } from '../../support/audit-runs.ts';
import { SHOP } from '../../support/audit-site.ts';
import { createTestFolder } from '../../support/folder.ts';

const folder = createTestFolder('compare');
const ORIGIN = 'https://site.example';
const KINDS: readonly ((page: number) => Answer)[] = [
  (page) => ({ body: html(`Page ${page}`) }),
  () => ({ status: 404 }),
  () => ({ status: 500 }),
  () => ({ status: 301, headers: { location: '/' } }),
  (page) => ({ body: html(`Page ${page}`, [], '<meta name="robots" content="noindex">') }),
  (page) => ({ body: html(`Page ${page}`, [], '<link rel="canonical" href="/">') }),
  () => ({ failure: 'network' }),
];

/** @param pages - the kind of each page, `null` without a link to it. */
const createSite = (pages: readonly (number | null)[], robots: string, isComplete: boolean): Site => ({
  start: `${ORIGIN}/`,
  agents: ['Googlebot', 'GPTBot'],
  robots,
  end: isComplete ? 'complete' : 'interrupted',
  answers: {
    [`${ORIGIN}/`]: {
      body: html(
        'Start',
        pages.flatMap((kind, page) => (kind === null ? [] : [`/${page}`])),
      ),
    },
    ...Object.fromEntries(
      pages.flatMap((kind, page) => (kind === null ? [] : [[`${ORIGIN}/${page}`, KINDS[kind]?.(page)]])),
    ),
  },
});

const formatChange = (change: RunChange): string =>
  'agent' in change
    ? `${change.url} ${change.agent} ${change.kind} ${change.before} ${change.after}`
    : `${change.url} ${change.kind}`;

/** Compares two runs in memory. */
async function compareInMemory(
  before: RunStore,
  after: RunStore,
  wasComplete: boolean,
  isComplete: boolean,
): Promise<string[]> {
  const read = async (run: RunStore): Promise<Map<string, Awaited<ReturnType<UrlReporter['report']>>>> => {
    const reporter = new UrlReporter(run, 'without-links');
    const all = [...reporter.all(true)];
    return new Map(all.map((report) => [`${report.url} ${report.agent}`, report]));
  };
  const [old, now] = [await read(before), await read(after)];
  const changes = new Set<string>();
  const { body } = after.robots.get(ORIGIN) ?? {};
  const findLoss = ({ url, agent }: { readonly url: string; readonly agent: string }): string =>
    decide(body ?? '', agent, url).kind === 'disallowed' ? 'blocked' : 'missing';
  for (const [name, report] of old) {
    const other = now.get(name);
    if (other === undefined) {
      if (isComplete) changes.add(`${report.url} disappeared`);
      if (isComplete && report.reason === null) changes.add(`${name} lost null ${findLoss(report)}`);
    } else if (report.reason !== other.reason) {
      const kind = report.reason === null ? 'lost' : other.reason === null ? 'won' : 'changed';
      changes.add(`${name} ${kind} ${report.reason} ${other.reason}`);
    }
  }
  for (const [name, report] of now) if (!old.has(name) && wasComplete) changes.add(`${report.url} appeared`);
  return [...changes].sort();
}

test('random small sites have the same changes as a comparison in memory', async () => {
  const pages = fc.array(fc.option(fc.nat({ max: KINDS.length - 1 })), { minLength: 8, maxLength: 8 });
  const robots = fc.constantFrom(
    '',
    'User-agent: *\nDisallow: /1\nDisallow: /2\n',
    'User-agent: GPTBot\nDisallow: /3\n',
  );
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(
      ...([pages, pages, robots, robots, fc.boolean(), fc.boolean()] as const),
      async (first, second, old, now, wasComplete, isComplete) => {
        const sites = [createSite(first, old, wasComplete), createSite(second, now, isComplete)] as const;
        await withRuns(folder, sites, async (before, after) => {
          const changes = await gather(compareRuns(before, after));
          const urls = changes.map(({ url }) => url);
          expect(urls).toEqual([...urls].sort());
          expect(changes.map(formatChange).sort()).toEqual(
            await compareInMemory(before, after, wasComplete, isComplete),
          );
          changed += changes.length;
        });
      },
    ),
    { numRuns: getFuzzRuns(40) },
  );
  expect(changed).toBeGreaterThan(100);
});

test('pages that only one crawler no longer reaches are lost for that crawler, with the cause', async () => {
  const links = { '/': ['/a', '/b'], '/a': ['/only-a'], '/b': ['/only-b'], '/only-a': [], '/only-b': [] };
  const createLinked = (robots: string, agents: readonly string[]): Site => ({
    ...{ start: `${ORIGIN}/`, agents, robots },
    answers: Object.fromEntries(
      Object.entries(links).map(([path, named]) => [ORIGIN + path, { body: html(path, named) }]),
    ),
  });
  const robots = 'User-agent: Googlebot\nDisallow: /a\n\nUser-agent: bingbot\nDisallow:\n';
  const list = async (agents: readonly string[], back = false): Promise<string[]> => {
    const sites = [createLinked('', agents), createLinked(robots, agents)] as const;
    return withRuns(folder, sites, async (before, after) => {
      const changes = await gather(back ? compareRuns(after, before) : compareRuns(before, after));
      return changes.map((change) => formatChange(change).replaceAll(ORIGIN, ''));
    });
  };
  // bingbot still reaches the page, so the run has it.
  expect(await list(['Googlebot', 'bingbot'])).toEqual([
    '/a Googlebot lost null blocked',
    '/only-a Googlebot lost null unreached',
  ]);
  expect(await list(['Googlebot', 'bingbot'], true)).toEqual([
    '/a Googlebot won blocked null',
    '/only-a Googlebot won unreached null',
  ]);
  expect(await list(['Googlebot'])).toEqual([
    '/a Googlebot lost null blocked',
    '/only-a disappeared',
    '/only-a Googlebot lost null missing',
  ]);
});

test('the changes of a URL are described in words', async () => {
  const robots = 'User-agent: *\nDisallow: /3\n';
  const sites = [createSite([0, 0, 0, 0, 3], '', true), createSite([1, 4, 5, 0, 0], robots, true)] as const;
  await withRuns(folder, sites, async (before, after) => {
    const changes = await gather(compareRuns(before, after));
    const own = changes.flatMap((each) => ('agent' in each && each.agent === 'Googlebot' ? [each] : []));
    const verdict = 'robots.txt: allowed (no-group) → allowed (no-rule-matched)';
    expect(own.map(({ kind, changes: texts }) => [kind, ...texts])).toEqual([
      ['lost', verdict, 'status: 200 → 404'],
      ['lost', verdict, 'noindex: none → meta "noindex"'],
      ['lost', verdict, `canonical: absent → other ${ORIGIN}/`],
      ['lost', 'robots.txt: allowed (no-group) → disallowed (line 2: Disallow: /3)'],
      ['won', verdict, 'status: 301 → 200', `redirect: ${ORIGIN}/ → none`],
    ]);
  });
});

test('a run equals itself, and other crawlers and settings are reported', async () => {
  await withRuns(
    folder,
    [SHOP, { ...SHOP, agents: ['GPTBot', 'Bingbot'], settings: { maxDepth: 3 } }],
    async (before, after) => {
      expect(await gather(compareRuns(before, before))).toEqual([]);
      const { agents, notes } = getComparable(before, after);
      expect(agents).toEqual(['GPTBot']);
      expect(notes).toEqual([
        'only one of the runs was judged for Googlebot, Bingbot',
        'the settings of the runs differ: maxDepth',
      ]);
      expect(await gather(compareRuns(before, after))).toEqual([]);
    },
  );
});

test('URLs are in the order of SQLite', async () => {
  const urls = ['a', 'b', 'a/', '\u{1f600}', '\uffee', 'é', 'z', 'ab'];
  const bytes = [...urls].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect([...urls].sort(compareUrls)).toEqual(bytes);
});

test('titles that changed are reported for pages that a crawler of both runs may fetch', async () => {
  const createTitled = (titles: Readonly<Record<string, string | null>>, robots = ''): Site => ({
    start: `${ORIGIN}/`,
    robots,
    answers: {
      [`${ORIGIN}/`]: { body: html('Home', Object.keys(titles)) },
      ...Object.fromEntries(
        Object.entries(titles).map(([path, title]): [string, Answer] => {
          if (title === 'image') return [ORIGIN + path, { headers: { 'content-type': 'image/png' } }];
          const body = title === null ? '<p>No title' : html(title, [], `<!-- ${path} -->`);
          return [ORIGIN + path, { body }];
        }),
      ),
    },
  });
  const before = { '/a': 'A', '/b': 'B', '/c': 'C', '/d': null, '/e': 'E', '/f': 'image', '/g': 'G' };
  const after = { '/a': 'A', '/b': 'New\x1b', '/c': null, '/d': 'D', '/e': 'Blocked', '/f': 'F', '/h': 'H' };
  const sites = [createTitled(before), createTitled(after, 'User-agent: *\nDisallow: /e')] as const;
  await withRuns(folder, sites, async (old, now) => {
    expect(await gather(compareTitles(old, now))).toEqual([
      { kind: 'title', url: `${ORIGIN}/b`, before: 'B', after: 'New\x1b' },
      { kind: 'title', url: `${ORIGIN}/c`, before: 'C', after: null },
      { kind: 'title', url: `${ORIGIN}/d`, before: null, after: 'D' },
    ]);
    expect(await gather(compareTitles(old, old))).toEqual([]);
  });
});
