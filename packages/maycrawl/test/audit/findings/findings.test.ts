/** Compares the findings about a site with every kind of them with lists written by hand (cases.ts). */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FINDING_CODES, type FindingCode } from '../../../src/audit/findings/finding-kinds.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { html, makeRun } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { CASES_SITE, EXPECTED, type ExpectedFinding, ORIGIN } from './cases.ts';

const [GOOGLEBOT, GPTBOT, BINGBOT] = [0, 1, 2];
const folder = createTestFolder('findings');
let run: RunStore;

beforeAll(async () => {
  run = await makeRun(join(folder, 'run.sqlite'), CASES_SITE);
});
afterAll(async () => {
  await run?.close();
});

const toPath = (url: string): string => (url.startsWith(`${ORIGIN}/`) ? url.slice(ORIGIN.length) : url);

function list(code: FindingCode, agent: number): ExpectedFinding[] {
  const found = Array.from(run.findings.list(code, agent));
  return found
    .sort((a, b) => (a.url < b.url ? -1 : 1))
    .map(({ url, detail, targets }) => [toPath(url), detail, ...sortIf(code, targets.map(toPath))]);
}

/** The versions of a page have no order. */
function sortIf(code: FindingCode, paths: string[]): string[] {
  return code.startsWith('hreflang') ? paths.sort() : paths;
}

/** Most pages of the site are in no sitemap. */
const LONG: readonly FindingCode[] = ['not-listed'];

test.each(FINDING_CODES.filter((code) => !LONG.includes(code)))('%s', (code) => {
  expect(list(code, GOOGLEBOT)).toEqual(EXPECTED[code] ?? []);
});

test('indexable pages without a sitemap are listed', () => {
  const paths = list('not-listed', GOOGLEBOT).map(([path]) => path);
  expect(paths).toContain('/title/one');
  expect(paths).not.toContain('/good');
  expect(paths).not.toContain('/noindex');
});

test('what a crawler may not fetch has no findings that it cannot see', async () => {
  const blocked = await makeRun(join(folder, 'blocked.sqlite'), {
    ...CASES_SITE,
    agents: ['Googlebot', 'DuckDuckBot'],
    robots: String(CASES_SITE.robots).replace('GPTBot', 'DuckDuckBot'),
  });
  const codes = FINDING_CODES.filter((code) => [...blocked.findings.list(code, 1)].length > 0);
  const hidden = Array.from(blocked.findings.list('hidden-noindex', 1), ({ url }) => toPath(url));
  blocked.close();
  expect(codes).toEqual([
    ...[
      'home-not-indexable',
      'site-not-indexable',
      'listed-not-indexable',
      'blocked-pages',
      'hidden-noindex',
    ],
  ]);
  expect(hidden).toEqual(['/noindex', '/noindex/late', '/noindex/variant', '/resources/noindex']);
});

test('findings about indexing are none for a crawler that trains models', () => {
  const codes = FINDING_CODES.filter((code) => list(code, GPTBOT).length > 0);
  expect(codes).toEqual(['blocked-pages']);
});

test('a crawler reaches what another one does not', () => {
  expect(list('not-reachable', BINGBOT)).toEqual([]);
  expect(list('orphan', BINGBOT)).toEqual([['/orphan', null]]);
});

test('resources are judged for each crawler', () => {
  expect(list('blocked-resource', BINGBOT)).toEqual([
    [
      ...['/resources/many', 'line 9: Disallow: /blocked/'],
      ...['/blocked/app.js', '/blocked/site.css', '/blocked/module.js'],
    ],
    ['/resources/same', 'line 9: Disallow: /blocked/', '/blocked/app.js'],
  ]);
});

test('an incomplete run has no findings that an unfetched page could disprove', async () => {
  const partial = await makeRun(join(folder, 'partial.sqlite'), { ...CASES_SITE, end: 'max-pages' });
  const codes = new Set(partial.findings.count().map(({ code }) => code));
  await partial.close();
  expect(['not-reachable', 'orphan', 'not-listed'].filter((code) => codes.has(code as FindingCode))).toEqual(
    [],
  );
  expect(codes.has('redirect-loop')).toBe(true);
});

test('findings about a hostile page are bounded', async () => {
  const long = 'x'.repeat(50_000);
  const canonicals = Array.from({ length: 2_000 }, (_, place) => `<link rel="canonical" href="/${place}">`);
  const hostile = await makeRun(join(folder, 'hostile.sqlite'), {
    start: `${ORIGIN}/`,
    answers: {
      [`${ORIGIN}/`]: { body: html(long, ['/a', '/b'], canonicals.join('')) },
      [`${ORIGIN}/a`]: { body: html(`Not found ${long}`, [], `<link rel="canonical" href="${`/${long}`}">`) },
      [`${ORIGIN}/b`]: {
        body: html(long, [], `<link rel="alternate" hreflang="${long}" href="/a">`),
      },
    },
  });
  const found = FINDING_CODES.flatMap((code) => Array.from(hostile.findings.list(code, GOOGLEBOT)));
  await hostile.close();
  expect(found.map(({ code }) => code)).toEqual(
    expect.arrayContaining([
      'canonical-conflict',
      'soft-404',
      'hreflang-unknown-language',
      'duplicate-title',
    ]),
  );
  for (const { detail, targets } of found) {
    expect(detail?.length ?? 0).toBeLessThanOrEqual(300);
    expect(targets.length).toBeLessThanOrEqual(20);
    expect(Math.max(0, ...targets.map(({ length }) => length))).toBeLessThanOrEqual(8_193);
  }
});

test('the counts are those of the lists', () => {
  for (const { code, agent, count } of run.findings.count())
    expect([...run.findings.list(code, agent)]).toHaveLength(count);
});
