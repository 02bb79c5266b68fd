/** Links to URLs with an error: in findings, exports and `audit links --to-status`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeReports } from '../../../src/audit/report/write-report.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { listLinks } from '../../../src/audit.ts';
import { gather, html, makeRun } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { readWorkbook } from '../../support/read-workbook.ts';
import { runHere } from '../../support/run-here.ts';

const ORIGIN = 'https://shop.example';
const at = (path: string): string => `${ORIGIN}${path}`;
const folder = createTestFolder('broken-links');
const file = join(folder, 'run.sqlite');

/** A page with links and an image. */
const page = (title: string, links: readonly (readonly [href: string, text: string])[]): string =>
  html(title) + links.map(([href, text]) => `<a href="${href}">${text}</a>`).join(' ');

const IMAGES = '<img src="/logo.png"><img src="/fine.png"><script src="/logo.png"></script>';

beforeAll(async () => {
  const run = await makeRun(file, {
    start: at('/'),
    agents: ['Googlebot', 'bingbot'],
    answers: {
      [at('/')]: {
        body: page('Home', [
          ['/shoes', 'Shoes'],
          ['/gone', 'Our <i>old</i> page'],
          ['/gone', 'Old page'],
          ['/down', 'Down'],
          ['/silent', 'Silent'],
          ['/logo.png', 'Logo'],
        ]),
      },
      [at('/shoes')]: { body: page('Shoes', [['/gone', '']]) + IMAGES },
      [at('/down')]: { status: 503 },
      [at('/silent')]: { failure: 'timeout' },
    },
  });
  await report(run);
  run.close();
});

async function report(run: RunStore): Promise<void> {
  await writeReports(
    run,
    { csv: join(folder, 'a.csv'), ndjson: join(folder, 'a.ndjson'), xlsx: join(folder, 'a.xlsx') },
    { name: 'shop' },
  );
}

const followed = ['Googlebot', 'bingbot'];
const FROM_HOME = {
  ...{ from: at('/'), to: at('/gone'), types: ['link'], texts: ['Our old page', 'Old page'] },
  ...{ followed, status: 404, failure: null },
};
const FROM_SHOES = { ...FROM_HOME, from: at('/shoes'), texts: [''] };
const LOGO = { ...FROM_HOME, to: at('/logo.png'), texts: ['Logo'] };
const RESOURCE = { ...LOGO, from: at('/shoes'), types: ['script', 'image'], texts: [], followed: [] };
const DOWN = { ...FROM_HOME, to: at('/down'), texts: ['Down'], status: 503 };
const SILENT = { ...FROM_HOME, to: at('/silent'), texts: ['Silent'], status: null, failure: 'timeout' };

async function show(...args: readonly string[]): Promise<string> {
  const { stdout, code, stderr } = await runHere(['audit', ...args]);
  expect(code, stderr).toBe(0);
  return stdout;
}

test.each([
  [['4xx'], [FROM_HOME, LOGO, FROM_SHOES, RESOURCE]],
  [['404'], [FROM_HOME, LOGO, FROM_SHOES, RESOURCE]],
  [['410'], []],
  [['5xx'], [DOWN]],
  [['none'], [SILENT]],
  [
    ['none', '503'],
    [DOWN, SILENT],
  ],
])('links to URLs with status %j', async (statuses, links) => {
  expect(await gather(listLinks(file, { statuses }))).toEqual(links);
  const json = await show('links', file, '--to-status', statuses.join(','), '--json');
  const lines = json.split('\n').filter((line) => line !== '');
  expect(lines.map((line) => JSON.parse(line))).toEqual(links);
});

test('links to URLs with a status, as text and CSV', async () => {
  expect(await show('links', file, '--to-status', '4xx', '--from', at('/shoes'))).toBe(
    `${at('/gone')} (404)  no text  link: followed by Googlebot, bingbot\n` +
      `${at('/logo.png')} (404)  script, image\n` +
      '2 links to 2 URLs with status 4xx\n',
  );
  expect(await show('links', file, '--to-status', 'none')).toContain(
    `${at('/')} → ${at('/silent')} (timeout)  "Silent"  link: `,
  );
  const csv = await show('links', file, '--to-status', '4xx', '--csv');
  expect(csv).toContain(
    `${at('/')},${at('/gone')},link,"Our old page\nOld page","Googlebot\nbingbot",404,\r\n`,
  );
  expect(csv).toContain(`${at('/shoes')},${at('/logo.png')},"script\nimage",,,404,\r\n`);
});

test.each([['4x'], ['broken'], ['04x'], ['']])('the status %j is refused', async (status) => {
  const { code, stderr } = await runHere(['audit', 'links', file, '--to-status', status]);
  expect([code, stderr]).toEqual([
    2,
    `maycrawl: --to-status must be 404, 4xx or none, for example, not "${status}"\n`,
  ]);
  expect(() => listLinks(file, { statuses: [status] })).toThrow(RangeError);
});

const LINKS = {
  count: 2,
  pages: [
    { url: at('/'), texts: ['Our old page', 'Old page'] },
    { url: at('/shoes'), texts: [''] },
  ],
};

test('a finding about a broken link names the pages and the texts of the links', async () => {
  const text = await show('findings', file);
  expect(text).toContain(
    `      ${at('/gone')}\n        linked from ${at('/')} "Our old page", "Old page"\n        linked from ${at('/shoes')} no text\n`,
  );
  const json = await show('findings', file, '--code', 'broken-link', '--json');
  expect(JSON.parse(json.split('\n')[0] ?? '')).toMatchObject({ url: at('/gone'), links: LINKS });
});

test('the records of URLs and the workbook have them, too', () => {
  const lines = readFileSync(join(folder, 'a.ndjson'), 'utf8').trimEnd().split('\n');
  const record = lines.map((line) => JSON.parse(line)).find(({ url }) => url === at('/gone'));
  expect(record.findings).toEqual([
    { code: 'broken-link', severity: 'error', detail: '404', targets: [], links: LINKS },
  ]);
  const cell = `${at('/')} "Our old page", "Old page"\n${at('/shoes')} no text`;
  expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toContain(`"${cell.replaceAll('"', '""')}"`);
  const sheets = readWorkbook(readFileSync(join(folder, 'a.xlsx')));
  const findings = sheets.find(({ name }) => name === 'Findings')?.rows ?? [];
  expect(findings.find((row) => row.includes(at('/gone')))).toEqual(expect.arrayContaining([2, cell]));
  const links = sheets.find(({ name }) => name === 'Broken links')?.rows ?? [];
  expect(links[1]).toEqual([at('/'), at('/gone'), 404, null, 'Our old page\nOld page', 'link']);
  expect(links).toHaveLength(1 + 6);
});
