/** Findings about the use of content, and what a run stores. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FindingCode } from '../../../src/audit/findings/finding-kinds.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { html, makeRun } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { BINGBOT, GOOGLEBOT, GPTBOT, ORIGIN, SILENT_SITE, SITE } from './site.ts';

const folder = createTestFolder('preferences');
let run: RunStore;
let silent: RunStore;
beforeAll(async () => {
  run = await makeRun(join(folder, 'run.sqlite'), SITE);
  silent = await makeRun(join(folder, 'silent.sqlite'), SILENT_SITE);
});
afterAll(async () => {
  run.close();
  await silent.close();
});

const list = (code: FindingCode, agent: number, of: RunStore = run): (readonly [string, string | null])[] =>
  Array.from(of.findings.list(code, agent), ({ url, detail }) => [url.slice(ORIGIN.length), detail] as const);

/** Values by purpose, and the source that decides. */
async function getUse(path: string, agent: number, of: RunStore = run): Promise<Record<string, string>> {
  const key = (await of.findKey(ORIGIN + path)) as number;
  const { purposes = {} } = of.preferences.find(key, agent) ?? {};
  return Object.fromEntries(
    Object.entries(purposes).flatMap(([purpose, { value, source }]) =>
      value === 'unknown' ? [] : [[purpose, `${value} ${source}`]],
    ),
  );
}

describe('the preferences', () => {
  const search = 'allowed robots.txt';
  test.each([
    ['/plain', GPTBOT, { 'ai-input': 'allowed robots.txt' }],
    ['/plain', BINGBOT, { search }],
    ['/header-allows', BINGBOT, { search, 'ai-train': 'allowed header' }],
    ['/contradicts', BINGBOT, { search, 'ai-train': 'disallowed meta' }],
    ['/noarchive', BINGBOT, { search, 'ai-train': 'disallowed meta', 'ai-input': 'disallowed meta' }],
    ['/for-gptbot', GPTBOT, { 'ai-train': 'disallowed header', 'ai-input': 'allowed robots.txt' }],
    ['/for-gptbot', BINGBOT, { search }],
    ['/rsl', BINGBOT, { search, 'ai-train': 'disallowed html', 'ai-input': 'disallowed html' }],
    [
      '/tdm/reserved',
      BINGBOT,
      { search, 'ai-train': 'disallowed tdmrep.json', tdm: 'disallowed tdmrep.json' },
    ],
    ['/tdm/open', BINGBOT, { search, 'ai-train': 'allowed meta', tdm: 'allowed meta' }],
    ['/file.pdf', BINGBOT, { search, 'ai-train': 'disallowed header' }],
    [
      '/token/1',
      GOOGLEBOT,
      { search, 'ai-train': 'disallowed robots.txt', 'ai-input': 'disallowed robots.txt' },
    ],
    // It may not fetch it.
    ['/private/refused', GPTBOT, {}],
  ] as const)('%s for crawler %i', async (path, agent, expected) => {
    expect(await getUse(path, agent)).toEqual(expected);
  });

  test('of responses without content do not exist, whatever their headers say', async () => {
    const rows = Array.from(run.preferences.rows(), ({ url }) => url.slice(ORIGIN.length));
    expect(rows).not.toContain('/old');
    expect(rows).not.toContain('/error');
    expect(rows).toContain('/file.pdf');
    expect(await getUse('/old', BINGBOT)).toEqual({});
  });
});

describe('findings', () => {
  test('preferences-conflict: statements of a page, or of a page and the site', () => {
    const expected = [
      ['/contradicts', '"noai" in the meta robots refuses ai-train, and the header content-usage allows it'],
      ['/signal', 'the header content-signal refuses search, and line 2 allows it'],
    ];
    expect(list('preferences-conflict', BINGBOT).sort()).toEqual(expected);
    // A group of a policy token contradicts nothing that it does not name.
    expect(list('preferences-conflict', GOOGLEBOT).sort()).toEqual(expected);
    expect(list('preferences-conflict', GPTBOT)).toEqual([
      expected[0],
      ['/rsl', 'the RSL document in the page refuses ai-input, and line 9 allows it'],
    ]);
  });

  test('preference-syntax: statements that say nothing', () => {
    for (const agent of [GOOGLEBOT, GPTBOT, BINGBOT])
      expect(list('preference-syntax', agent).sort()).toEqual([
        ['/broken', '"T" is upper case, and labels are lower case (header, content-usage: Train-AI=n)'],
        ['/unknown-value', 'its value is neither 0 nor 1 (meta, tdm-reservation: maybe)'],
      ]);
  });

  test('mixed-preferences: pages without the refusal of their folder, but none that allows the use', () => {
    for (const agent of [GOOGLEBOT, GPTBOT, BINGBOT])
      expect(list('mixed-preferences', agent)).toEqual([
        ['/blog/7', 'ai-train: 19 of 20 pages in /blog/ refuse it'],
      ]);
  });

  test('mixed-preferences: nine of ten pages are enough', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => `/notes/${index}`);
    const answers = Object.fromEntries(
      pages.map((path, index) => [
        ORIGIN + path,
        { body: html(path), headers: index === 0 ? {} : { 'x-robots-tag': 'noai' } },
      ]),
    );
    const make = (count: number): Promise<RunStore> =>
      makeRun(join(folder, `${count}.sqlite`), {
        start: `${ORIGIN}/`,
        answers: { ...answers, [`${ORIGIN}/`]: { body: html('Home', pages.slice(0, count)) } },
      });
    const [nine, ten] = [await make(9), await make(10)];
    expect(list('mixed-preferences', GOOGLEBOT, nine)).toEqual([]);
    expect(list('mixed-preferences', GOOGLEBOT, ten)).toEqual([
      ['/notes/0', 'ai-train: 9 of 10 pages in /notes/ refuse it'],
    ]);
    await nine.close();
    await ten.close();
  });

  test('preference-never-read: a statement on a page that the crawler may not fetch', () => {
    expect(list('preference-never-read', GPTBOT)).toEqual([
      ['/private/refused', 'meta, robots: index, noai'],
    ]);
    expect(list('preference-never-read', BINGBOT)).toEqual([]);
  });

  test('use-without-crawl: a permission for a path that the crawler may not fetch, not one for the whole site', () => {
    expect(list('use-without-crawl', GPTBOT)).toEqual([
      ['/shop/1', 'line 8: Content-Usage: /shop/ train-ai=y'],
    ]);
    expect(list('use-without-crawl', BINGBOT)).toEqual([]);
  });
});

test('a value that depends on the reading names the others', async () => {
  const key = run.findKey(`${ORIGIN}/plain`) as number;
  expect(run.preferences.find(key, GPTBOT)?.purposes['search']).toEqual({
    ...{ value: 'unknown', format: null, source: null, statement: null },
    ...{ others: ['line 2: Content-Signal: search=yes'], readings: { global: 'allowed' } },
  });
});

describe('the run', () => {
  test('stores equal declarations and preferences once', () => {
    const uses = run.preferences.count();
    const distinct = new Set(uses.flatMap(({ preferences }) => preferences ?? []));
    expect(distinct.size).toBeLessThan(40);
    const total = uses.reduce((sum, { count }) => sum + count, 0);
    expect(total).toBe(Array.from(run.preferences.rows()).length);
  });

  test('of a site that declares nothing has no declarations, preferences and findings about them', async () => {
    expect(silent.preferences.hasDeclarations).toBe(false);
    expect(silent.preferences.isEmpty).toBe(true);
    expect(silent.findings.count().filter(({ code }) => /preference|use-/.test(code))).toEqual([]);
    expect(Array.from(silent.preferences.rows()).every(({ preferences }) => preferences === null)).toBe(true);
  });

  test('has bounded texts of a hostile page', async () => {
    const header = `ai-train=no, ${'x'.repeat(200_000)}`;
    const metas = Array.from(
      { length: 3_000 },
      (_, index) => `<meta name="content-signal" content="ai-train=no, a${index}=yes">`,
    );
    const hostile = await makeRun(join(folder, 'hostile.sqlite'), {
      start: `${ORIGIN}/`,
      answers: {
        [`${ORIGIN}/`]: { body: html('H', [], metas.join('')), headers: { 'content-signal': header } },
      },
    });
    const [row] = hostile.preferences.rows();
    expect(hostile.preferences.readDeclaration(row?.declaration as number).length).toBeLessThan(70_000);
    expect(JSON.stringify(hostile.preferences.read(row?.preferences as number)).length).toBeLessThan(5_000);
    const page = await hostile.page(row?.key as number);
    expect(page?.outcome.kind === 'page' && page.outcome.facts.isTruncated).toBe(true);
    expect(await getUse('/', GOOGLEBOT, hostile)).toEqual({ 'ai-train': 'disallowed meta' });
    await hostile.close();
  });
});
