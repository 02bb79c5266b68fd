/** What reports and comparisons say about the use of content. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparePreferences } from '../../../src/audit/report/compare/preference-changes.ts';
import { htmlReport } from '../../../src/audit/report/html/html-report.ts';
import type { AuditSections } from '../../../src/audit/report/html/report-data.ts';
import { summarizeRun } from '../../../src/audit/report/summary.ts';
import type { UrlReport } from '../../../src/audit/report/url-report.ts';
import { writeReports } from '../../../src/audit/report/write-report.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { readReportData } from '../../../src/reports/report-data.ts';
import { gather, makeRun, type Site } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { run as runCommand } from '../../support/run.ts';
import { BINGBOT, GPTBOT, ORIGIN, SILENT_SITE, SITE } from './site.ts';

const folder = createTestFolder('preference-reports');
const files = { run: join(folder, 'run.sqlite'), silent: join(folder, 'silent.sqlite') };
let run: RunStore;
let silent: RunStore;
beforeAll(async () => {
  for (const name of ['report.js', 'report.css']) writeFileSync(join(folder, name), '');
  run = await makeRun(files.run, SITE);
  silent = await makeRun(files.silent, SILENT_SITE);
});
afterAll(async () => {
  run.close();
  await silent.close();
});

describe('the summary', () => {
  test('counts URLs by purpose, preference and format, as the rows do', async () => {
    const { preferences } = summarizeRun(run);
    expect(preferences).toMatchObject({ tdmrep: [{ origin: ORIGIN, problem: null }] });
    expect(preferences?.purposes.slice(0, 3)).toEqual(['search', 'ai-train', 'ai-input']);
    for (const agent of [GPTBOT, BINGBOT]) {
      const rows = Array.from(run.preferences.rows()).filter((row) => row.agent === agent);
      const values = rows.map(({ allowed, preferences: id }) => {
        if (allowed === 0) return 'not-applicable';
        return id === null ? 'unknown' : (run.preferences.read(id).purposes['ai-train']?.value ?? 'unknown');
      });
      const count = (value: string): number => values.filter((each) => each === value).length;
      const counts = preferences?.agents[agent]?.purposes['ai-train'];
      expect(counts).toMatchObject({
        ...{ allowed: count('allowed'), disallowed: count('disallowed'), unknown: count('unknown') },
        notApplicable: count('not-applicable'),
      });
      const decided = counts?.formats.reduce((sum, each) => sum + each.count, 0);
      expect(decided).toBe(count('allowed') + count('disallowed'));
    }
    expect(preferences?.agents[BINGBOT]?.purposes['ai-train']).toEqual({
      ...{ allowed: 3, disallowed: 42, unknown: 13, notApplicable: 0 },
      formats: expect.arrayContaining([
        { value: 'disallowed', format: 'tdmrep', count: 1 },
        { value: 'disallowed', format: 'rsl', count: 1 },
      ]),
    });
  });

  test('has nothing about a site that declares nothing', async () => {
    expect(summarizeRun(silent).preferences).toBeNull();
    const { stdout } = await runCommand(['audit', 'report', files.silent, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ preferences: null });
  });

  test('is printed', async () => {
    const { stdout } = await runCommand(['audit', 'report', files.run, '--out', join(folder, 'printed')]);
    expect(stdout).toContain('\nbingbot: use for ai-train: 3 allowed, 42 disallowed, 13 not declared\n');
    expect(stdout).toMatch(/\nGPTBot: use for ai-input: .*, 3 blocked\n/);
  });
});

test('NDJSON and CSV have the preferences of each URL and crawler', async () => {
  const [ndjson, csv] = [join(folder, 'urls.ndjson'), join(folder, 'urls.csv')];
  await writeReports(run, { ndjson, csv }, { name: 'run' });
  const records = readFileSync(ndjson, 'utf8').trimEnd().split('\n');
  const find = (path: string, agent: string): UrlReport | undefined =>
    records
      .map((line) => JSON.parse(line) as UrlReport)
      .find((record) => record.url === ORIGIN + path && record.agent === agent);
  expect(find('/contradicts', 'bingbot')?.preferences).toEqual({
    purposes: {
      search: {
        ...{ value: 'allowed', format: 'content-signal', source: 'robots.txt', others: [], readings: {} },
        statement: 'line 2: Content-Signal: search=yes',
      },
      'ai-train': {
        ...{ value: 'disallowed', format: 'page', source: 'meta', readings: {} },
        statement: 'meta, robots: index, noai',
        others: ['header, content-usage: train-ai=y'],
      },
    },
    licenses: [],
    conflicts: ['"noai" in the meta robots refuses ai-train, and the header content-usage allows it'],
  });
  expect(find('/private/refused', 'GPTBot')?.preferences).toBeNull();
  expect(find('/old', 'bingbot')?.preferences).toBeNull();
  const [head = ''] = readFileSync(csv, 'utf8').split('\r\n', 1);
  expect(head.endsWith(',use_search,use_ai_train,use_ai_input,use_statements')).toBe(true);
  expect(readFileSync(csv, 'utf8')).toContain(
    ',allowed,disallowed,,"search allowed: line 2: Content-Signal: search=yes\nai-train disallowed: meta, robots: index, noai"\r\n',
  );
});

test('the HTML report of a site that declares nothing contains nothing about it', async () => {
  const html = (await gather(htmlReport(silent, { name: 'silent', pageFolder: folder }))).join('');
  const [, text = ''] = /id="data">([^<]*)</.exec(html) ?? [];
  const { head, rows } = await readReportData<AuditSections>(text);
  expect(head?.[0]?.preferences).toBeNull();
  expect(new Set(rows?.flatMap(({ use }) => use))).toEqual(new Set([null]));
});

describe('a comparison', () => {
  const change = (headers: Record<string, string>): Site => ({
    ...SITE,
    answers: { ...SITE.answers, [`${ORIGIN}/plain`]: { body: '<title>P</title>', headers } },
  });

  test('counts changed preferences', async () => {
    const after = await makeRun(join(folder, 'after.sqlite'), change({ 'content-usage': 'train-ai=n' }));
    expect(await comparePreferences(run, run)).toEqual([]);
    const changes = await comparePreferences(run, after);
    expect(changes.filter(({ agent }) => agent === 'bingbot')).toEqual([
      {
        ...{
          kind: 'preference',
          agent: 'bingbot',
          purpose: 'ai-train',
          before: 'unknown',
          after: 'disallowed',
        },
        ...{ urls: 1, examples: [`${ORIGIN}/plain`] },
      },
    ]);
    after.close();
    const { stdout, code } = await runCommand(['audit', 'compare', files.run, join(folder, 'after.sqlite')]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `use      bingbot: ai-train of 1 URL: unknown → disallowed\n           ${ORIGIN}/plain\n`,
    );
    expect(stdout).toMatch(/\n1 with another title, 3 preferences changed\.\n$/);
  });
});
