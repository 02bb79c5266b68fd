import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCensusHtml } from '../../../src/census/report/html-report.ts';
import type { CensusReportData, CensusSections } from '../../../src/census/report/report-data.ts';
import { readReportData } from '../../../src/reports/report-data.ts';
import { createReportData } from '../../support/census-report.ts';

let pageFolder: string;
let data: CensusReportData;

beforeAll(() => {
  pageFolder = mkdtempSync(join(tmpdir(), 'maycrawl-census-page-'));
  writeFileSync(join(pageFolder, 'report.js'), 'const end = "</script><!--";');
  writeFileSync(join(pageFolder, 'report.css'), 'b { color: red }');
  data = createReportData(300, 3);
});
afterAll(() => rmSync(pageFolder, { recursive: true, force: true }));

/** Reads the data of a file. */
async function readData(html: string): Promise<CensusSections['census']> {
  const [, text = ''] = /id="data">([^<]*)</.exec(html) ?? [];
  const { census: [report] = [] } = await readReportData<CensusSections>(text);
  if (report === undefined) throw new Error('the file has no data');
  return report;
}

test('equal data give equal bytes', async () => {
  const html = await createCensusHtml(data, { pageFolder });
  expect(await createCensusHtml(createReportData(300, 3), { pageFolder })).toBe(html);
  expect(await readData(html)).toEqual({ data, maxExamples: 20 });
});

test('text in the data is never markup', async () => {
  const hostile = '</script><script>alert(1)</script><!-- "\'&\u2028';
  const html = await createCensusHtml({ ...data, title: hostile, methods: [hostile] }, { pageFolder });
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html.match(/<\/script/g)).toHaveLength(2);
  expect(html).not.toContain('<!--');
  expect(html).toContain('<title>&#60;/script&#62;&#60;script&#62;alert(1)');
  expect((await readData(html)).data.methods).toEqual([hostile]);
});

test('a report that would be too large has fewer examples; if that is not enough, it is an error', async () => {
  const { length } = await createCensusHtml(data, { pageFolder });
  const smaller = await readData(await createCensusHtml(data, { pageFolder, maxBytes: length / 2 }));
  expect(smaller.maxExamples).toBeLessThan(20);
  const { examples } = data.crawls[0]?.access[0]?.[0]?.sites ?? { examples: [] };
  expect(examples.length).toBeGreaterThan(smaller.maxExamples);
  expect(smaller.data.crawls[0]?.access[0]?.[0]?.sites.examples).toEqual(
    examples.slice(0, smaller.maxExamples),
  );
  const withoutExamples = (value: CensusReportData): string =>
    JSON.stringify(value, (key, each) => (key === 'examples' ? [] : each));
  expect(withoutExamples(smaller.data)).toBe(withoutExamples(data));
  await expect(createCensusHtml(data, { pageFolder, maxBytes: 1_000 })).rejects.toThrow(
    'the report of 12 agents and 3 crawls would be larger than 10 MB; report fewer of them',
  );
});

test('a page that was not built is an error', async () => {
  await expect(createCensusHtml(data, { pageFolder: join(pageFolder, 'missing') })).rejects.toThrow(
    'the page of reports was not built into',
  );
});
