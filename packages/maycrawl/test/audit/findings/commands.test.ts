/** `audit findings` and `audit links` on the site with every kind of finding. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listLinks } from '../../../src/audit.ts';
import { gather, makeRun } from '../../support/audit-runs.ts';
import { run as runCommand } from '../../support/run.ts';
import { CASES_SITE, ORIGIN } from './cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-findings-'));
const file = join(folder, 'run.sqlite');

beforeAll(async () => {
  const run = await makeRun(file, CASES_SITE);
  run.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const parseLines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('findings are listed by urgency, with what to do', async () => {
  const { stdout, code } = await runCommand(['audit', 'findings', file]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    'error: 4 redirects lead into a loop (redirect-loop)\n' +
      '  Visitors and crawlers never reach a page.\n' +
      '  Let one URL of the loop respond with a page, and redirect the others to it.\n',
  );
  expect(stdout).toContain(`${ORIGIN}/redirect/to-down → ${ORIGIN}/down (status 503)`);
  expect(stdout.indexOf('error: ')).toBeLessThan(stdout.indexOf('warning: '));
});

test('a kind that is named is explained, with a source', async () => {
  const { stdout } = await runCommand(['audit', 'findings', file, '--code', 'redirect-chain']);
  expect(stdout).toContain('  When: There are at least two redirects before the end.\n');
  expect(stdout).toMatch(
    /\n {2}Redirects and Google Search: https:\/\/developers\.google\.com\/search\/docs\S+\n/,
  );
});

test('findings are grouped by detail, the largest group first', async () => {
  const { stdout } = await runCommand(['audit', 'findings', file]);
  const start = stdout.indexOf('(duplicate-title)');
  expect(stdout.slice(start, stdout.indexOf('(missing-title)')).split('\n').slice(3, 6)).toEqual([
    '    Shared title: 2 URLs',
    `      ${ORIGIN}/title/one`,
    `      ${ORIGIN}/title/two`,
  ]);
  expect(stdout).toContain(`    ${ORIGIN}/noindex (noindex)\n`);
});

test('crawlers with the same findings are named together', async () => {
  const path = join(folder, 'equal.sqlite');
  const run = await makeRun(path, { ...CASES_SITE, agents: ['Googlebot', 'GPTBot', 'Googlebot-Image'] });
  run.close();
  const { stdout } = await runCommand(['audit', 'findings', path]);
  expect(stdout.split('\n').filter((line) => line.endsWith(':') && !line.startsWith(' '))).toEqual([
    'Googlebot, Googlebot-Image:',
    'GPTBot:',
  ]);
  const summary = await runCommand(['audit', 'report', path, '--out', join(folder, 'equal.html')]);
  expect(summary.stdout).toMatch(/^Googlebot, Googlebot-Image: \d+ of \d+ URLs indexable/m);
});

test('findings of one kind as JSON', async () => {
  const { stdout } = await runCommand(['audit', 'findings', file, '--code', 'missing-title', '--json']);
  expect(parseLines(stdout)).toEqual([
    {
      ...{ code: 'missing-title', severity: 'warning', agent: 'Googlebot' },
      ...{ url: `${ORIGIN}/title/none`, detail: null, targets: [] },
    },
    {
      ...{ code: 'missing-title', severity: 'warning', agent: 'bingbot' },
      ...{ url: `${ORIGIN}/title/none`, detail: null, targets: [] },
    },
  ]);
});

test('links to a URL, and the crawlers that follow them', async () => {
  const { stdout } = await runCommand(['audit', 'links', file, '--to', `${ORIGIN}/behind-bing`, '--json']);
  expect(parseLines(stdout)).toEqual([
    {
      ...{ from: `${ORIGIN}/only-bing`, to: `${ORIGIN}/behind-bing`, types: ['link'] },
      ...{ texts: ['link'], followed: ['bingbot'] },
    },
  ]);
  const { stdout: text } = await runCommand(['audit', 'links', file, '--to', `${ORIGIN}/missing`]);
  expect(text).toContain(`${ORIGIN}/redirect/to-missing  redirect: followed by Googlebot, bingbot\n`);
  expect(text).toContain(`${ORIGIN}/canonical/to-missing  canonical: followed by Googlebot, bingbot\n`);
});

test('the texts of links, as JSON, CSV and in the library', async () => {
  const to = `${ORIGIN}/good`;
  const { stdout } = await runCommand(['audit', 'links', file, '--to', to, '--json']);
  const links = parseLines(stdout);
  expect(links.filter(({ from }) => from === `${ORIGIN}/`)).toMatchObject([{ texts: ['link', 'Our logo'] }]);
  expect(links.find(({ from }) => from === `${ORIGIN}/redirect/good`)).toMatchObject({ texts: [] });
  const { stdout: csv } = await runCommand(['audit', 'links', file, '--from', `${ORIGIN}/`, '--csv']);
  expect(csv.split('\r\n')[0]).toBe('\ufefffrom,to,types,texts,followed');
  expect(csv).toContain(`${ORIGIN}/,${to},link,"link\nOur logo","Googlebot\nbingbot"\r\n`);
  expect(await gather(listLinks(file, { to }))).toEqual(links);
  await expect(gather(listLinks(file, { from: 'https://nowhere.example/' }))).rejects.toThrow(RangeError);
});

test('links from a page', async () => {
  const { stdout } = await runCommand(['audit', 'links', file, '--from', `${ORIGIN}/only-bing`]);
  expect(stdout).toContain(`${ORIGIN}/behind-bing/listed  "link"  link: followed by bingbot\n`);
  expect(stdout).toContain(`2 URLs named by ${ORIGIN}/only-bing\n`);
});

test('all links of a run', async () => {
  const { stdout } = await runCommand(['audit', 'links', file, '--json']);
  const links = parseLines(stdout);
  const to = links.filter(({ to }) => to === `${ORIGIN}/missing`).map(({ from }) => from);
  const { stdout: some } = await runCommand(['audit', 'links', file, '--to', `${ORIGIN}/missing`, '--json']);
  expect(to).toEqual(parseLines(some).map(({ from }) => from));
  const { stdout: text } = await runCommand(['audit', 'links', file]);
  expect(text).toContain(`${ORIGIN}/only-bing → ${ORIGIN}/behind-bing  `);
  expect(text).toMatch(new RegExp(`^${links.length} links$`, 'm'));
});

test('the link of a page to a URL', async () => {
  const [from, to] = [`${ORIGIN}/only-bing`, `${ORIGIN}/behind-bing`];
  const { stdout } = await runCommand(['audit', 'links', file, '--from', from, '--to', to, '--json']);
  expect(parseLines(stdout)).toMatchObject([{ from, to }]);
});

test.each([
  [['audit', 'findings', file, '--code', 'x'], 'unknown finding "x"'],
  [['audit', 'links', file, '--to', 'https://nowhere.example/'], 'does not contain'],
  [['audit', 'links', file, '--to', 'no URL'], 'does not contain'],
  [['audit', 'links', file, '--to', ORIGIN, '--json', '--csv'], 'either --json or --csv'],
])('%j is refused in one line', async (args, message) => {
  const { stderr, code } = await runCommand(args);
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain(message);
});

test('steps of redirects have arrows, and URLs without an order do not', async () => {
  const { stdout } = await runCommand(['audit', 'findings', file]);
  expect(stdout).toContain(
    `    ${ORIGIN}/resources/many: ${ORIGIN}/blocked/a.png, ${ORIGIN}/blocked/b.png, ${ORIGIN}/blocked/c.png (`,
  );
  expect(stdout).toContain(
    `${ORIGIN}/canonical/to-lost → ${ORIGIN}/redirect/to-missing → ${ORIGIN}/missing (status 404)\n`,
  );
});

test('a long list of other URLs is cut, unless its kind is named', async () => {
  const [cut, first] = [' and 1 other (line', `    ${ORIGIN}/resources/many: ${ORIGIN}/blocked/app.js, `];
  const overview = await runCommand(['audit', 'findings', file]);
  const whole = await runCommand(['audit', 'findings', file, '--code', 'blocked-resource']);
  expect(overview.stdout).toContain(first);
  expect(overview.stdout).toContain(cut);
  expect(whole.stdout).toContain(first);
  expect(whole.stdout).not.toContain(cut);
});

test('the summary describes the robots.txt of audited sites, not those of resources', async () => {
  const { stdout } = await runCommand(['audit', 'report', file, '--json', '--out', join(folder, 'a.html')]);
  const { robots } = JSON.parse(stdout) as { robots: { origin: string; isAudited: boolean }[] };
  expect(robots.map(({ origin, isAudited }) => [origin, isAudited])).toEqual([
    [ORIGIN, true],
    ['https://cdn.example', false],
    ['https://other.example', false],
  ]);
  const text = await runCommand(['audit', 'report', file, '--out', join(folder, 'b.html')]);
  expect(text.stdout).toContain(`${ORIGIN}/robots.txt: `);
  expect(text.stdout).not.toContain('cdn.example');
});
