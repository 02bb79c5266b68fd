/** Reads the data of reports as the page does, and compares sentences and lists with those written by hand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditSections, FINDING_CODES, type LinkRow, readReportData } from 'maycrawl/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlReport } from '../../../maycrawl/src/audit/report/html/html-report.ts';
import { CASES_SITE, EXPECTED, ORIGIN } from '../../../maycrawl/test/audit/findings/cases.ts';
import {
  SENTENCES,
  SENTENCES_FOR_GPTBOT,
  SENTENCES_WHEN_STOPPED,
  STOPPED_SITE,
} from '../../../maycrawl/test/audit/findings/sentences.ts';
import { gather, makeRun, type Site } from '../../../maycrawl/test/support/audit-runs.ts';
import { createCsv } from '../../src/report/data/csv.ts';
import { ALL, DEFAULT_FILTER, type Filter, selectUrls } from '../../src/report/data/filter.ts';
import { getFindingResources } from '../../src/report/data/finding-resources.ts';
import { ReportData } from '../../src/report/data/report-data.ts';
import { formatView, parseView, type View } from '../../src/report/data/view.ts';
import { describeUrl } from '../../src/report/sentences.ts';

const [GOOGLEBOT, GPTBOT, BINGBOT] = [0, 1, 2];
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-report-data-'));
let data: ReportData;
let stopped: ReportData;

/** @param maxRows - limit of the rows in the report. */
async function readReport(name: string, site: Site, maxRows?: number): Promise<ReportData> {
  const run = await makeRun(join(folder, `${name}.sqlite`), site);
  try {
    const limit = maxRows === undefined ? {} : { maxRows };
    const html = (await gather(htmlReport(run, { name, pageFolder: folder, ...limit }))).join('');
    const [, text = ''] = /id="data">([^<]*)</.exec(html) ?? [];
    return new ReportData(await readReportData<AuditSections>(text));
  } finally {
    await run.close();
  }
}

beforeAll(async () => {
  for (const name of ['report.js', 'report.css']) writeFileSync(join(folder, name), '');
  data = await readReport('cases', CASES_SITE);
  stopped = await readReport('stopped', STOPPED_SITE);
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (path: string): string => (path.startsWith('/') ? `${ORIGIN}${path}` : path);
const toPath = (url: string): string => (url.startsWith(`${ORIGIN}/`) ? url.slice(ORIGIN.length) : url);

describe('the sentence about', () => {
  test.each(Object.entries(SENTENCES))('%s', (path, sentence) => {
    expect(describeUrl(data, data.urls.indexOf(at(path)), GOOGLEBOT)).toBe(sentence);
  });

  test.each(Object.entries(SENTENCES_FOR_GPTBOT))('%s, which GPTBot may not fetch', (path, sentence) => {
    expect(describeUrl(data, data.urls.indexOf(at(path)), GPTBOT)).toBe(sentence);
  });

  test.each(Object.entries(SENTENCES_WHEN_STOPPED))('%s after a crawl that was stopped', (path, sentence) => {
    expect(describeUrl(stopped, stopped.urls.indexOf(at(path)), GOOGLEBOT)).toBe(sentence);
  });

  test('every other URL is a sentence too', () => {
    for (let index = 0; index < data.count; index++)
      for (const agent of [GOOGLEBOT, GPTBOT])
        expect(describeUrl(data, index, agent)).toMatch(/^[A-Z].*\.$/s);
  });
});

test('each count of verdicts is the length of its list, also for pages with several reasons', () => {
  const sorting = { column: 'url', descending: false } as const;
  for (const [agent, { primary, indexable }] of data.head.agents.entries())
    for (const [reason, count] of [...Object.entries(primary), ['indexable', indexable] as const])
      expect(selectUrls(data, agent, { ...ALL, verdict: reason }, sorting).length, reason).toBe(count);
  const { primary, all } = data.head.agents[GOOGLEBOT] as (typeof data.head.agents)[number];
  expect(all.canonicalised).toBeGreaterThan(primary.canonicalised);
});

describe('the segments', () => {
  const DEFAULT_SORTING = { column: 'url', descending: false } as const;
  const count = (agent: number, filter: Partial<Filter>): number =>
    selectUrls(data, agent, { ...DEFAULT_FILTER, ...filter }, DEFAULT_SORTING).length;

  test('have as many URLs as their lists', () => {
    const { list } = data.head.segments;
    expect(list.length).toBeGreaterThan(1);
    for (const { name: segment, agents } of list)
      for (const [agent, { judged, indexable, statuses, findings }] of agents.entries()) {
        expect(count(agent, { segment })).toBe(judged);
        expect(count(agent, { segment, verdict: 'indexable' })).toBe(indexable);
        for (const [status, urls] of Object.entries(statuses))
          expect(
            count(agent, { segment, ...(status === 'blocked' ? { verdict: status } : { status }) }),
          ).toBe(urls);
        for (const [finding, urls] of Object.entries(findings))
          expect(count(agent, { segment, finding })).toBe(urls);
      }
  });

  test('have addresses; an unknown one has no URLs', () => {
    const segment = data.head.segments.list[1]?.name ?? '';
    const view = parseView(data, `#/urls?segment=${encodeURIComponent(segment)}&finding=error`);
    expect(view.filter).toMatchObject({ segment, finding: 'error' });
    expect(parseView(data, formatView(data, view))).toEqual(view);
    expect(count(GOOGLEBOT, { segment: 'unknown' })).toBe(0);
    expect(formatView(data, parseView(data, '#/segments'))).toBe('#/segments');
  });
});

/** The versions of a page have no order. */
const sortIf = (code: string, paths: string[]): string[] =>
  code.startsWith('hreflang') ? paths.sort() : paths;

describe('links in a report', () => {
  const read = (report: ReportData, links: readonly LinkRow[]): object[] =>
    links.map((link) => ({
      from: toPath(report.urls[link.from] ?? ''),
      to: toPath(report.urls[link.to] ?? ''),
      texts: report.getValue(link.text) ?? [],
    }));

  test('all links to a URL, with their texts', () => {
    expect(data.head).toMatchObject({ hasAllLinks: true });
    const links = read(data, data.getLinksTo(data.urls.indexOf(at('/good'))));
    expect(links).toContainEqual({ from: '/', to: '/good', texts: ['link', 'Our logo'] });
    expect(links).toContainEqual({ from: '/redirect/good', to: '/good', texts: [] });
    // A large report has only three.
    expect(links.length).toBeGreaterThan(3);
  });

  test('all links of a page', () => {
    const index = data.urls.indexOf(at('/only-bing'));
    expect(read(data, data.getLinksFrom(index))).toEqual([
      { from: '/only-bing', to: '/behind-bing', texts: ['link'] },
      { from: '/only-bing', to: '/behind-bing/listed', texts: ['link'] },
    ]);
    expect(data.targets[index]).toBe(2);
    expect(data.getLinksFrom(data.urls.indexOf(at('/good')))).toEqual([]);
  });

  test('a report with a limit has some of the links to a URL', async () => {
    const few = await readReport('few', CASES_SITE, 60);
    expect(few.head.hasAllLinks).toBe(false);
    const index = few.urls.indexOf(at('/good'));
    const links = read(few, few.getLinksTo(index));
    expect(links).toHaveLength(3);
    expect(links[0]).toEqual({ from: '/', to: '/good', texts: ['link', 'Our logo'] });
    expect(few.links[index]).toBe(data.links[data.urls.indexOf(at('/good'))]);
    expect(few.getLinksFrom(few.urls.indexOf(at('/only-bing')))).toEqual([]);
  });

  test('blocked resources are those of the crawler', () => {
    const index = data.urls.indexOf(at('/resources/same'));
    const resource = { url: at('/blocked/app.js'), kinds: ['script'] };
    expect(data.getBlockedResources(index, GOOGLEBOT)).toEqual([{ ...resource, line: 2 }]);
    expect(data.getBlockedResources(index, BINGBOT)).toEqual([{ ...resource, line: 9 }]);
    expect(createCsv(data, GOOGLEBOT, Uint32Array.of(index))).toContain(`,${at('/blocked/app.js')}\r\n`);
  });
});

describe('the findings of a report', () => {
  test.each(FINDING_CODES.filter((code) => code !== 'not-listed'))('%s', (code) => {
    const found = data.findings.getGroups(code, GOOGLEBOT).flatMap(({ detail, rows, targets }) =>
      rows.map((index, place) => ({
        path: toPath(data.urls[index] ?? ''),
        detail,
        targets: sortIf(code, [
          ...(targets[place] ?? []).map((target) => toPath(data.getUrl(target))),
          ...getFindingResources(data, code, index, GOOGLEBOT).map(({ url }) => toPath(url)),
        ]),
      })),
    );
    const isOfRows = code === 'duplicate-title' || code === 'duplicate-content';
    expect(found.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
      (EXPECTED[code] ?? []).map(([path, detail, ...targets]) => ({
        ...{ path, targets },
        detail: isOfRows ? null : detail,
      })),
    );
  });

  test('a URL has the findings of the lists, for its crawler', () => {
    const codesOf = (path: string, agent: number): string[] =>
      data.findings.ofUrl(data.urls.indexOf(at(path)), agent).map(({ code }) => code);
    expect(codesOf('/redirect/chain-to-error', GOOGLEBOT)).toEqual([
      ...['redirect-to-error', 'redirect-chain', 'folder-variants'],
    ]);
    expect(codesOf('/redirect/chain-to-error', GPTBOT)).toEqual(['blocked-pages']);
    expect(codesOf('/noindex', GPTBOT)).toEqual(['blocked-pages']);
  });

  test('totals are exact where the report has not all URLs', async () => {
    const small = await readReport('small', CASES_SITE, 30);
    expect(small.count).toBe(30);
    expect(small.head.agents).toEqual(data.head.agents);
    const listed = (from: ReportData): number =>
      FINDING_CODES.flatMap((code) => from.findings.getGroups(code, GOOGLEBOT).flatMap(({ rows }) => rows))
        .length;
    const total = data.head.agents[GOOGLEBOT]?.findings.reduce((sum, { count }) => sum + count, 0);
    expect(listed(data)).toBe(total);
    expect(listed(small)).toBeLessThan(listed(data));
    for (const code of FINDING_CODES)
      for (const { rows } of small.findings.getGroups(code, GOOGLEBOT))
        for (const index of rows) expect(small.urls[index]).toBeDefined();
  });
});

describe('the table', () => {
  const URL_SORTING = { column: 'url', descending: false } as const;
  const select = (from: ReportData, filter: Partial<Filter>): string[] =>
    Array.from(selectUrls(from, GOOGLEBOT, { ...ALL, ...filter }, URL_SORTING), (index) =>
      toPath(from.urls[index] ?? ''),
    );

  test('has judged URLs by default', () => {
    expect(select(stopped, DEFAULT_FILTER)).toEqual(['/']);
    expect(select(stopped, {})).toHaveLength(4);
  });

  test('filters by finding, detail and depth', () => {
    expect(select(data, { finding: 'redirect-loop' })).toEqual([
      '/loop/a',
      '/loop/b',
      '/loop/into',
      '/loop/self',
    ]);
    expect(select(data, { finding: 'redirect-loop', detail: '1 redirect' })).toEqual(['/loop/self']);
    expect(select(data, { finding: 'no-such-code' })).toEqual([]);
    expect(select(data, { depth: '0' })).toEqual(['/']);
    expect(select(data, { depth: '0+', finding: 'redirect-loop' })).toHaveLength(4);
    expect(select(data, { depth: '0+', state: 'judged' })).not.toContain('/');
    expect(select(data, { depth: 'none', state: 'judged' })).toEqual(['/orphan', '/unlinked']);
  });

  test('is exported with a byte order mark, findings and targets, and without formulas', () => {
    const rows = selectUrls(data, GOOGLEBOT, { ...ALL, text: 'chain-to-error' }, URL_SORTING);
    const csv = createCsv(data, GOOGLEBOT, rows);
    expect(csv.split('\r\n')).toEqual([
      '\ufeffurl,agent,state,verdict,reasons,status,depth,links,sitemap,milliseconds,bytes,title,findings,targets',
      [
        `${at('/redirect/chain-to-error')},Googlebot,fetched,redirect,redirect,301,1,1,false,40,0,`,
        '"redirect-to-error: 404\nredirect-chain: 2 redirects\nfolder-variants: /redirect/: 13 of 71 requests (18 %)"',
        `"${['/redirect/to-missing', '/missing', '/redirect/to-missing', '/missing'].map(at).join('\n')}"`,
      ].join(','),
      '',
    ]);
    const all = createCsv(data, GPTBOT, selectUrls(data, GPTBOT, ALL, URL_SORTING));
    expect(all).not.toContain('Shared title');
  });
});

describe('the address', () => {
  const roundTrip = (view: View): View => parseView(data, formatView(data, view));
  const view: View = {
    ...{ tab: 'urls', agent: GPTBOT, finding: '', sorting: { column: 'links', descending: true } },
    selected: 3,
    filter: {
      ...{ text: 'a b&c=#?/%20\u202e"', verdict: 'noindex', state: '', status: '4xx', sitemap: 'in' },
      ...{
        depth: '2+',
        finding: 'canonical-ignored',
        detail: 'file: address',
        segment: '/a b/&',
        use: 'ai-train:disallowed:page',
      },
    },
  };

  test('has tab, crawler, filter, order and URL', () => {
    expect(roundTrip(view)).toEqual(view);
    const findings = { ...view, tab: 'findings', finding: 'orphan', selected: null } as const;
    expect(roundTrip(findings)).toMatchObject({ tab: 'findings', agent: GPTBOT, finding: 'orphan' });
  });

  test('is short for what is shown at first, and anything else shows that', () => {
    const first = parseView(data, '');
    expect(formatView(data, first)).toBe('#/findings');
    expect(formatView(data, { ...first, tab: 'urls' })).toBe('#/urls');
    for (const hash of ['#', '#/nothing', '#/findings?agent=none&finding=none', '#/findings?%E0%A4%A'])
      expect(parseView(data, hash), hash).toEqual(first);
    expect(parseView(data, '#/urls?sort=-nothing&url=nothing')).toEqual({ ...first, tab: 'urls' });
  });
});

test('what robots.txt hides from a crawler affects neither order nor search', () => {
  const sorted = (column: 'status' | 'time' | 'title', descending: boolean): number[] => [
    ...selectUrls(data, GPTBOT, ALL, { column, descending }),
  ];
  const hidden = Array.from({ length: data.count }, (_, index) => index).filter(
    (index) =>
      data.isBlocked(index, GPTBOT) &&
      data.get(index, 'title') !== null &&
      (data.statuses[index] as number) > 0,
  );
  expect(hidden.length).toBeGreaterThan(0);
  for (const column of ['status', 'time', 'title'] as const) {
    const shown = sorted(column, false).map((index) => data.isBlocked(index, GPTBOT));
    // Blocked URLs are where those without a value are: at the beginning.
    const first = sorted(column, false).findIndex(
      (index) =>
        !data.isBlocked(index, GPTBOT) &&
        (column === 'title' ? data.get(index, 'title') !== null : (data.statuses[index] as number) > 0),
    );
    expect(shown.slice(first).filter(Boolean), column).toEqual([]);
  }
  for (const index of hidden) {
    const text = data.get(index, 'title') ?? '';
    const url = data.urls[index]?.toLowerCase() ?? '';
    if (
      text
        .toLowerCase()
        .split(/\s+/)
        .every((word) => url.includes(word))
    )
      continue;
    const found = selectUrls(data, GPTBOT, { ...ALL, text }, { column: 'url', descending: false });
    expect([...found], text).not.toContain(index);
  }
});
