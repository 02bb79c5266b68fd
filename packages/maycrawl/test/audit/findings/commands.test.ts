/** `audit findings` and `audit links` on the site with every kind of finding. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { listLinks } from '../../../src/audit.ts';
import { gather, makeRun } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { runHere } from '../../support/run-here.ts';
import { CASES_SITE, ORIGIN } from './cases.ts';

const folder = createTestFolder('findings');
const file = join(folder, 'run.sqlite');
/** All findings, as text. */
let overview: string;

beforeAll(async () => {
  (await makeRun(file, CASES_SITE)).close();
  overview = await show('findings', file);
});

async function show(...args: readonly string[]): Promise<string> {
  const { stdout, code, stderr } = await runHere(['audit', ...args]);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function listAll(...args: readonly string[]): Promise<Record<string, unknown>[]> {
  const lines = (await show(...args, '--json')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('findings are listed by urgency, with what to do', () => {
  expect(overview).toContain(
    'error: 4 redirects lead into a loop (redirect-loop)\n' +
      '  Visitors and crawlers never reach a page.\n' +
      '  Let one URL of the loop respond with a page, and redirect the others to it.\n',
  );
  expect(overview.indexOf('error: ')).toBeLessThan(overview.indexOf('warning: '));
});

test('findings are grouped by detail, the largest group first', () => {
  const start = overview.indexOf('(duplicate-title)');
  expect(overview.slice(start, overview.indexOf('(missing-title)')).split('\n').slice(3, 6)).toEqual([
    '    Shared title: 2 URLs',
    `      ${ORIGIN}/title/one`,
    `      ${ORIGIN}/title/two`,
  ]);
  expect(overview).toContain(`    ${ORIGIN}/noindex (noindex)\n`);
});

test('steps of redirects have arrows, and URLs without an order do not', () => {
  expect(overview).toContain(
    `    ${ORIGIN}/resources/many: ${ORIGIN}/blocked/a.png, ${ORIGIN}/blocked/b.png, ${ORIGIN}/blocked/c.png (`,
  );
  expect(overview).toContain(
    `${ORIGIN}/canonical/to-lost → ${ORIGIN}/redirect/to-missing → ${ORIGIN}/missing (status 404)\n`,
  );
});

test('a kind that is named has its explanation, a source and whole lists of other URLs', async () => {
  const redirects = await show('findings', file, '--code', 'redirect-chain');
  expect(redirects).toMatch(
    /\n {2}Redirects and Google Search: https:\/\/developers\.google\.com\/search\/docs\S+\n/,
  );
  const [cut, first] = [' and 1 other (line', `    ${ORIGIN}/resources/many: ${ORIGIN}/blocked/app.js, `];
  const whole = await show('findings', file, '--code', 'blocked-resource');
  for (const text of [overview, whole]) expect(text).toContain(first);
  expect([overview.includes(cut), whole.includes(cut)]).toEqual([true, false]);
});

test('crawlers with the same findings are named together', async () => {
  const path = join(folder, 'equal.sqlite');
  (await makeRun(path, { ...CASES_SITE, agents: ['Googlebot', 'GPTBot', 'Googlebot-Image'] })).close();
  const text = await show('findings', path);
  expect(text.match(/^Google.*|^GPTBot.*/gm)).toEqual([
    expect.stringMatching(/^Googlebot, Googlebot-Image: \d+ of \d+ URLs indexable$/),
    expect.stringMatching(/^GPTBot: may fetch 0 of \d+ URLs$/),
  ]);
  const summary = await show('report', path, '--out', join(folder, 'equal.html'));
  expect(summary).toMatch(/^Googlebot, Googlebot-Image: \d+ of \d+ URLs indexable/m);
});

test('findings of one kind as JSON', async () => {
  const finding = { code: 'missing-title', severity: 'warning', url: `${ORIGIN}/title/none` };
  expect(await listAll('findings', file, '--code', 'missing-title')).toEqual([
    { ...finding, agent: 'Googlebot', detail: null, targets: [], links: null },
    { ...finding, agent: 'bingbot', detail: null, targets: [], links: null },
  ]);
});

test('links from a page and to a URL, with the crawlers that follow them', async () => {
  const [from, to] = [`${ORIGIN}/only-bing`, `${ORIGIN}/behind-bing`];
  const link = { from, to, types: ['link'], texts: ['link'], followed: ['bingbot'] };
  const response = { status: 200, failure: null };
  expect(await listAll('links', file, '--to', to)).toEqual([{ ...link, ...response }]);
  expect(await listAll('links', file, '--from', from, '--to', to)).toEqual([{ ...link, ...response }]);
  expect(await listAll('links', file, '--from', from)).toHaveLength(2);
  const text = await show('links', file, '--to', `${ORIGIN}/missing`);
  expect(text).toContain(`${ORIGIN}/canonical/to-missing  canonical: followed by Googlebot, bingbot\n`);
});

test('all links of a run', async () => {
  const links = await listAll('links', file);
  const toMissing = await listAll('links', file, '--to', `${ORIGIN}/missing`);
  expect(links.filter(({ to }) => to === `${ORIGIN}/missing`)).toEqual(toMissing);
  expect(await show('links', file)).toMatch(new RegExp(`^${links.length} links$`, 'm'));
});

test('the texts of links, as JSON, CSV and in the library', async () => {
  const to = `${ORIGIN}/good`;
  const links = await listAll('links', file, '--to', to);
  expect(links.filter(({ from }) => from === `${ORIGIN}/`)).toMatchObject([{ texts: ['link', 'Our logo'] }]);
  expect(links.find(({ from }) => from === `${ORIGIN}/redirect/good`)).toMatchObject({ texts: [] });
  const csv = await show('links', file, '--from', `${ORIGIN}/`, '--csv');
  expect(csv.split('\r\n')[0]).toBe('\ufefffrom,to,types,texts,followed,status,failure');
  expect(csv).toContain(`${ORIGIN}/,${to},link,"link\nOur logo","Googlebot\nbingbot",200,\r\n`);
  expect(await gather(listLinks(file, { to }))).toEqual(links);
  await expect(gather(listLinks(file, { from: 'https://nowhere.example/' }))).rejects.toThrow(RangeError);
});

test.each([
  [['findings', file, '--code', 'x'], 'unknown finding "x"'],
  [['links', file, '--to', 'no URL'], 'does not contain'],
  [['links', file, '--to', ORIGIN, '--json', '--csv'], 'either --json or --csv'],
])('%j is refused in one line', async (args, message) => {
  const { stderr, code } = await runHere(['audit', ...args]);
  expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(message);
});

test('the summary describes the robots.txt of audited sites, not those of resources', async () => {
  const { robots } = JSON.parse(await show('report', file, '--json', '--out', join(folder, 'a.html')));
  const audited = robots.map(({ origin, isAudited }: Record<string, unknown>) => [origin, isAudited]);
  expect(audited).toEqual([
    [ORIGIN, true],
    ['https://cdn.example', false],
    ['https://other.example', false],
  ]);
  const text = await show('report', file, '--out', join(folder, 'b.html'));
  expect([text.includes(`${ORIGIN}/robots.txt: `), text.includes('cdn.example')]).toEqual([true, false]);
});
