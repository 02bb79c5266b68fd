import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAIL_ON, findFailures } from '../../../src/audit/report/fail-on.ts';
import { describeEnd, summarizeRun } from '../../../src/audit/report/summary.ts';
import type { UrlReport } from '../../../src/audit/report/url-report.ts';
import { writeReports } from '../../../src/audit/report/write-report.ts';
import type { Counts } from '../../../src/audit/run/records/url.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { html, makeRun } from '../../support/audit-runs.ts';
import { HOSTILE, SHOP } from '../../support/audit-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-report-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (path: string): string => `https://shop.example${path}`;

describe('reports of a run', () => {
  let run: RunStore;
  let reports: UrlReport[];
  const of = (path: string, agent: string = 'Googlebot'): UrlReport => {
    const found = reports.find((each) => each.url === at(path) && each.agent === agent);
    if (found === undefined) throw new Error(`nothing is said of ${path}`);
    return found;
  };

  beforeAll(async () => {
    run = await makeRun(join(folder, 'run.sqlite'), SHOP);
    await writeReports(
      run,
      { csv: join(folder, 'run.csv'), ndjson: join(folder, 'run.ndjson'), junit: join(folder, 'run.xml') },
      { name: 'run <1>', failOn: FAIL_ON, hasOutside: true },
    );
    const lines = readFileSync(join(folder, 'run.ndjson'), 'utf8').trimEnd().split('\n');
    reports = lines.map((line) => JSON.parse(line) as UrlReport);
  });
  afterAll(() => run?.close());

  test('the records cover every reason, and all have the same fields in the same order', () => {
    const reasons = new Set(reports.map(({ reason }) => reason));
    expect([...reasons].sort()).toEqual(
      ['blocked', 'canonicalised', 'error', 'noindex', 'not-found', 'redirect', 'unreachable', null].sort(),
    );
    expect(new Set(reports.map((each) => Object.keys(each).join())).size).toBe(1);
    const urls = reports.filter(({ agent }) => agent === 'GPTBot').map(({ url }) => url);
    expect(urls).toEqual([...urls].sort());
    expect(reports.length).toBe(2 * urls.length);
  });

  test('the evidence quotes the deciding line, and a block hides other evidence', () => {
    expect(of('/search?q=shoes')).toMatchObject({
      ...{
        state: 'fetched',
        indexable: false,
        reason: 'blocked',
        status: null,
        noindex: null,
        canonical: null,
      },
      crawl: {
        allowed: false,
        reason: 'rule',
        line: 3,
        rule: 'Disallow: /search?  # no results of searches',
      },
    });
    expect(of('/products/1', 'GPTBot')).toMatchObject({
      reason: 'blocked',
      hidden: [],
      title: null,
      status: null,
    });
    expect(of('/products/1?sort=price', 'GPTBot').hidden).toEqual(['canonicalised']);
    expect(of('/cart')).toMatchObject({ state: 'blocked', reason: 'blocked', crawl: { line: 2 } });
    expect(of('/search').crawl).toMatchObject({ allowed: true, line: 4 });
  });

  test('the evidence has redirects, directives, canonicals, failures and the discovery', () => {
    expect(of('/old')).toMatchObject({
      redirects: [
        { status: 301, to: at('/old-2') },
        { status: 302, to: at('/about') },
      ],
      sitemaps: [at('/sitemap.xml')],
      found: [
        { by: 'sitemap', url: at('/sitemap.xml') },
        { by: 'link', url: at('/') },
      ],
      ...{ links: 1, depth: 1 },
    });
    expect(of('/loop-a').redirects).toHaveLength(2);
    expect(of('/members').noindex).toEqual([{ from: 'meta', agent: null, text: 'noindex, follow' }]);
    expect(of('/late').noindex?.[0]).toMatchObject({ from: 'header' });
    expect(of('/both').canonical).toMatchObject({
      kind: 'conflict',
      urls: [at('/about'), at('/products/1')],
    });
    expect(of('/down').failure).toEqual({ code: 'timeout', detail: 'it failed: timeout' });
    expect(of('/orphan')).toMatchObject({ links: 0, depth: null, indexable: true });
    expect(of('/calendar/2')).toMatchObject({ state: 'trap', indexable: null, why: 'no end of it' });
    expect(of('/').found[0]).toEqual({ by: 'start', url: null });
    expect(of('/hostile').title).toBe(HOSTILE);
  });

  test('the summary has the counts of the records', async () => {
    const { agents, total, robots, end } = summarizeRun(run);
    expect(end?.why).toBe('complete');
    expect(total).toBe(reports.length / 2);
    expect(robots[0]?.meaning).toBe('The rules of the robots.txt apply.');
    for (const { agent, judged, indexable, primary } of agents) {
      const own = reports.filter((each) => each.agent === agent);
      expect(judged).toBe(own.filter((each) => each.indexable !== null).length);
      expect(indexable).toBe(own.filter((each) => each.indexable === true).length);
      for (const [reason, count] of Object.entries(primary))
        expect(count, reason).toBe(own.filter((each) => each.reason === reason).length);
    }
  });

  test('--fail-on finds the forbidden reasons', async () => {
    const groups = findFailures(run, FAIL_ON);
    const getCount = (kind: string): number | undefined =>
      groups.find((each) => each.agent === 'Googlebot' && each.kind === kind)?.count;
    const own = reports.filter(({ agent }) => agent === 'Googlebot');
    for (const kind of [
      'blocked',
      'noindex',
      'redirect',
      'canonicalised',
      'error',
      'unreachable',
      'not-found',
    ] as const)
      expect(getCount(kind), kind).toBe(own.filter(({ reasons }) => reasons.includes(kind)).length);
    expect(getCount('any')).toBe(own.filter(({ indexable }) => indexable === false).length);
    expect(getCount('sitemap')).toBe(
      own.filter(({ indexable, sitemaps }) => indexable === false && sitemaps.length > 0).length,
    );
    expect(getCount('conflict')).toBe(1);
    expect(groups.find(({ kind }) => kind === 'soft-404')?.urls).toEqual([
      { url: at('/soft'), reason: 'the content of a page that was not found' },
    ]);
  });

  test('JUnit is well-formed, and counts its failures', async () => {
    const xml = readFileSync(join(folder, 'run.xml'), 'utf8');
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(xml);
    const suite = parsed.testsuites.testsuite;
    const groups = findFailures(run, FAIL_ON);
    expect(suite['@_name']).toBe('run <1>');
    expect(Number(suite['@_tests'])).toBe(groups.length);
    expect(Number(suite['@_failures'])).toBe(groups.filter(({ count }) => count > 0).length);
    expect(suite.testcase).toHaveLength(groups.length);
  });

  test('CSV has a row for each record, and no cell with a formula', () => {
    const text = readFileSync(join(folder, 'run.csv'), 'utf8');
    // Spreadsheets read such a file as UTF-8.
    expect(text.startsWith('\ufeffurl,')).toBe(true);
    const rows = readCsv(text.slice(1));
    const [head = [], ...cells] = rows;
    expect(cells).toHaveLength(reports.length);
    for (const row of cells) expect(row).toHaveLength(head.length);
    expect(cells.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    const column = (name: string): string[] => cells.map((row) => row[head.indexOf(name)] as string);
    expect(column('url')).toEqual(reports.map(({ url }) => url));
    expect(column('title')).toContain(`'=cmd|' /C calc'!A0`);
    expect(column('title')).toContain(HOSTILE);
    expect(column('reason')).toEqual(reports.map(({ reason }) => reason ?? ''));
  });

  test('URLs out of the scope have records only if they are requested', async () => {
    const [csv, ndjson] = [join(folder, 'inside.csv'), join(folder, 'inside.ndjson')];
    await writeReports(run, { csv, ndjson }, { name: 'inside' });
    const inside = reports.filter(({ state }) => state !== 'outside');
    expect(reports.length - inside.length).toBe(2);
    const lines = readFileSync(ndjson, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as UrlReport)).toEqual(inside);
    const rows = readCsv(readFileSync(csv, 'utf8')).slice(1);
    expect(rows.map(([url]) => url)).toEqual(inside.map(({ url }) => url));
  });

  test('a failed write leaves no file, and its error names the file', async () => {
    const path = join(folder, 'run.csv', 'x.csv');
    await expect(writeReports(run, { csv: path }, { name: 'x' })).rejects.toMatchObject({ path });
  });
});

test('a robots.txt with status 500 prevents all fetches of pages', async () => {
  const path = join(folder, 'down.sqlite');
  const run = await makeRun(path, {
    ...SHOP,
    robots: {
      policy: { kind: 'disallow-all', reason: 'unreachable' },
      ...{ code: 'http-status', message: 'status 500' },
    },
  });
  const { robots, agents, counts } = summarizeRun(run);
  expect(robots[0]?.meaning).toBe(
    'The robots.txt could not be fetched, so all URLs are disallowed until it is available again (status 500). No page was fetched.',
  );
  expect(agents[0]?.primary.blocked).toBe(agents[0]?.judged);
  expect(counts.fetched).toBe(0);
  run.close();
});

/** Parses CSV by RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

test('a page with a thousand noindex directives in one tag has one statement in the reports', async () => {
  const content = 'noindex,'.repeat(1_000);
  const start = 'https://many.example/';
  const answers = { [start]: { body: html('many', [], `<meta name="robots" content="${content}">`) } };
  const run = await makeRun(join(folder, 'many.sqlite'), { start, answers });
  await writeReports(run, { ndjson: join(folder, 'many.ndjson') }, { name: 'many' });
  run.close();
  const [line = ''] = readFileSync(join(folder, 'many.ndjson'), 'utf8').split('\n');
  expect((JSON.parse(line) as UrlReport).noindex).toEqual([{ from: 'meta', agent: null, text: content }]);
});

test('the size of a body is unknown if it was not read', async () => {
  const start = 'https://sizes.example/';
  const answers = {
    [start]: { body: html('sizes', ['/file', '/down']) },
    [`${start}down`]: { failure: 'timeout' },
    [`${start}file`]: { headers: { 'content-type': 'application/pdf' } },
  };
  const run = await makeRun(join(folder, 'sizes.sqlite'), { start, answers });
  await writeReports(run, { ndjson: join(folder, 'sizes.ndjson') }, { name: 'sizes' });
  run.close();
  const lines = readFileSync(join(folder, 'sizes.ndjson'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as UrlReport).bytes)).toEqual([
    html('sizes', ['/file', '/down']).length,
    null,
    null,
  ]);
});

test('the end of a run has a singular', () => {
  const counts = { waiting: 1 } as Counts;
  expect(describeEnd(null, counts)).toMatch(/; 1 URL is waiting\.$/);
  expect(describeEnd({ why: 'max-pages', at: 0, waiting: 1 }, counts)).toBe(
    'Not complete: the crawl reached its limit of pages; 1 URL is waiting.',
  );
  expect(describeEnd({ why: 'interrupted', at: 0, waiting: 1200 }, counts)).toMatch(
    /; 1,200 URLs are waiting\.$/,
  );
});
