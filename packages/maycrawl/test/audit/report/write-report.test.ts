import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAIL_ON, findFailures } from '../../../src/audit/report/fail-on.ts';
import { HtmlRows } from '../../../src/audit/report/html/html-rows.ts';
import { describeEnd, summarizeRun } from '../../../src/audit/report/summary.ts';
import type { UrlReport } from '../../../src/audit/report/url-report.ts';
import { writeReports } from '../../../src/audit/report/write-report.ts';
import type { Counts } from '../../../src/audit/run/records/url.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { getSegments } from '../../../src/audit/segments/segments.ts';
import { html, makeRun, type Site } from '../../support/audit-runs.ts';
import { HOSTILE, SHOP } from '../../support/audit-site.ts';
import { createTestFolder } from '../../support/folder.ts';

const folder = createTestFolder('report');
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

  test('the evidence has the hidden reasons, failures, the state of traps and the discovery', () => {
    expect(of('/products/1?sort=price', 'GPTBot').maskedReasons).toEqual(['canonicalised']);
    expect(of('/old')).toMatchObject({ ...{ links: 1, depth: 1 }, sitemaps: [at('/sitemap.xml')] });
    expect(of('/down').failure).toEqual({ code: 'timeout', detail: 'it failed: timeout' });
    expect(of('/orphan')).toMatchObject({ links: 0, depth: null, indexable: true });
    expect(of('/calendar/2')).toMatchObject({
      state: 'crawl-trap',
      indexable: null,
      stateReason: 'no end of it',
    });
    expect(of('/hostile').title).toBe(HOSTILE);
  });

  test('the summary has the counts of the records', async () => {
    const { agents, total, robots, end } = summarizeRun(run);
    expect(end?.reason).toBe('complete');
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
    const reasons = ['blocked', 'noindex', 'redirect', 'canonicalised', 'error', 'unreachable'] as const;
    for (const kind of [...reasons, 'not-found'] as const)
      expect(getCount(kind), kind).toBe(own.filter((each) => each.reasons.includes(kind)).length);
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

/** Writes the records of a site. */
async function writeRecords(answers: Site['answers']): Promise<UrlReport[]> {
  const name = randomUUID();
  const [start = ''] = Object.keys(answers);
  const run = await makeRun(join(folder, `${name}.sqlite`), { start, answers });
  await writeReports(run, { ndjson: join(folder, name) }, { name });
  run.close();
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as UrlReport);
}

test('a page with a thousand noindex directives in one tag has one statement in the reports', async () => {
  const content = 'noindex,'.repeat(1_000);
  const body = html('many', [], `<meta name="robots" content="${content}">`);
  const [record] = await writeRecords({ 'https://many.example/': { body } });
  expect(record?.noindex).toEqual([{ from: 'meta', agent: null, text: content }]);
});

test('the size of a body is unknown if it was not read', async () => {
  const body = html('sizes', ['/file', '/down']);
  const records = await writeRecords({
    'https://sizes.example/': { body },
    'https://sizes.example/down': { failure: 'timeout' },
    'https://sizes.example/file': { headers: { 'content-type': 'application/pdf' } },
  });
  expect(records.map(({ bytes }) => bytes)).toEqual([body.length, null, null]);
});

test('the HTML report shows the noindex of a page only for crawlers that may fetch it', async () => {
  const start = 'https://blocked.example/';
  const body = html('Blocked', [], '<meta name="robots" content="noindex">');
  const run = await makeRun(join(folder, 'blocked.sqlite'), {
    ...{ start, agents: ['Googlebot', 'bingbot'], robots: 'User-agent: Googlebot\nDisallow: /\n' },
    answers: { [start]: { body } },
  });
  run.rows.orderUrls();
  const rows = new HtmlRows(run, getSegments(run));
  const [row] = rows.all();
  run.close();
  expect(rows.values.values[row?.noindex ?? -1]).toEqual([[], [expect.any(Number)]]);
});

test('the end of a run has a singular', () => {
  const counts = { waiting: 1 } as Counts;
  expect(describeEnd({ reason: 'max-pages', at: 0, waiting: 1 }, counts)).toBe(
    'Not complete: the crawl reached its limit of pages; 1 URL is waiting.',
  );
});
