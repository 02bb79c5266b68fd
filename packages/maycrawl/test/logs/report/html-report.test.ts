import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogsHtml } from '../../../src/logs/report/html-report.ts';
import { createPeriods } from '../../../src/logs/report/periods.ts';
import type { LogSections } from '../../../src/logs/report/report-data.ts';
import type { LogSummary } from '../../../src/logs/summary/log-summary.ts';
import { type ReportData, readReportData } from '../../../src/reports/report-data.ts';
import { createLogSummary, createManyCrawlers } from '../../support/log-summary.ts';

let pageFolder: string;
const summary = createLogSummary();

beforeAll(() => {
  pageFolder = mkdtempSync(join(tmpdir(), 'maycrawl-logs-page-'));
  writeFileSync(join(pageFolder, 'report.js'), 'const end = "</script><!--";');
  writeFileSync(join(pageFolder, 'report.css'), 'b { color: red }');
});
afterAll(() => rmSync(pageFolder, { recursive: true, force: true }));

/** Reads the data of a file. */
function readData(html: string): Promise<ReportData<LogSections>> {
  const [, text = ''] = /id="data">([^<]*)</.exec(html) ?? [];
  return readReportData<LogSections>(text);
}

test('equal summaries give equal bytes, which have all that the summary has', async () => {
  const html = await createLogsHtml(summary, { pageFolder });
  expect(await createLogsHtml(createLogSummary(), { pageFolder })).toBe(html);
  expect(html).toContain('<title>shop.example – maycrawl logs</title>');
  const { log: [log] = [], crawlers = [] } = await readData(html);
  expect(log).toMatchObject({ ...toHead(summary), maxExamples: 100, findingCount: 6, ruleCount: 3 });
  expect(log?.periods).toHaveLength(28);
  for (const [index, { days, ...crawler }] of summary.crawlers.entries()) {
    expect(crawlers[index]).toMatchObject(crawler);
    expect(crawlers[index]?.periods).toEqual({
      requests: days.map(({ requests }) => requests),
      violations: days.map(({ violations }) => violations),
    });
  }
});

function toHead({ crawlers: _, ...head }: LogSummary): Omit<LogSummary, 'crawlers'> {
  return head;
}

test('text of the log is never markup', async () => {
  const hostile = '</script><script>alert(1)</script><!-- "\'&\u2028';
  const findings = summary.findings.map((each) => ({ ...each, text: hostile }));
  const html = await createLogsHtml({ ...summary, findings }, { pageFolder });
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html.match(/<\/script/g)).toHaveLength(2);
  expect(html).not.toContain('<!--');
  expect((await readData(html)).log?.[0]?.findings[0]?.text).toBe(hostile);
});

test('a report that would be too large has shorter lists and texts, and exact counts; it is never an error', async () => {
  const large = createManyCrawlers(60);
  const { length } = await createLogsHtml(large, { pageFolder });
  for (const maxBytes of [length / 2, 1]) {
    const { log: [log] = [], crawlers: [crawler] = [] } = await readData(
      await createLogsHtml(large, { pageFolder, maxBytes }),
    );
    const limit = log?.maxExamples ?? 100;
    expect(limit).toBeLessThan(100);
    const all = large.crawlers[0]?.violations ?? [];
    expect(crawler?.violations).toEqual([...all.slice(0, limit / 2), ...all.slice(100 - limit / 2)]);
    expect(crawler?.classes).toEqual(large.crawlers[0]?.classes);
    expect(log?.lines).toEqual(large.lines);
  }
});

test('texts of a hostile log have a limit', async () => {
  const long = { ...summary, sites: [`https://${'a.'.repeat(50_000)}example`] };
  const { log: [log] = [] } = await readData(await createLogsHtml(long, { pageFolder }));
  expect(log?.sites[0]).toBe(`${long.sites[0]?.slice(0, 999)}…`);
});

test('a page that was not built is an error', async () => {
  await expect(createLogsHtml(summary, { pageFolder: join(pageFolder, 'missing') })).rejects.toThrow(
    'the page of reports was not built into',
  );
});

test('days of a long log are joined to at most 92 periods of equal length, whose sums are exact', () => {
  const days = ['1970-01-01', '2026-11-27', '2026-11-28'].map((day, index) => ({
    ...{ day, requests: index + 1, violations: index },
  }));
  const periods = createPeriods([{ days }, { days: [] }]);
  expect(periods.list.length).toBeLessThanOrEqual(92);
  expect([periods.list[0]?.from, periods.list.at(-1)?.to]).toEqual(['1970-01-01', '2026-11-28']);
  const counts = periods.count(days);
  expect(counts?.requests.reduce((sum, each) => sum + each, 0)).toBe(6);
  expect([counts?.requests[0], counts?.requests.at(-1), counts?.violations.at(-1)]).toEqual([1, 5, 3]);
  expect(periods.count([])).toBeNull();
  expect(createPeriods([]).list).toEqual([]);
});
