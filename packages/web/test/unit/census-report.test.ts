import { type AccessCell, SITE_ACCESSES } from 'maycrawl/api';
import { expect, test } from 'vitest';
import { createReportData } from '../../../maycrawl/test/support/census-report.ts';
import { createSeries, findScale, placeCrawls, splitAtBreaks } from '../../src/census/data/series.ts';
import {
  addCounts,
  countBase,
  findAxisEnd,
  getBlocked,
  getDifferent,
  getWeightShare,
  orderAgents,
  toFraction,
} from '../../src/census/data/shares.ts';
import * as tables from '../../src/census/data/tables.ts';
import { formatView, listSections, parseView, SECTIONS } from '../../src/census/data/view.ts';
import { createStrataShares } from '../../src/census/parts/strata-table.tsx';
import {
  formatChange,
  formatPercent,
  formatPercentNumber,
  formatRank,
  formatSize,
} from '../../src/census/text.ts';
import { formatSpan } from '../../src/shared/text.ts';

const data = createReportData(400, 4);

const cell = (access: AccessCell['access'], group: AccessCell['group'], count: number): AccessCell => ({
  ...{ access, group },
  sites: { count, examples: [{ host: `${access}.example`, witnesses: [], note: null }] },
});

/** 3 blocked by name, 2 by the group for all, of 21 sites with a file and 30 whose policy is known. */
const CELLS: readonly AccessCell[] = [
  cell('none', 'own', 1),
  cell('none', 'global', 2),
  cell('listed-only', 'fallback', 2),
  cell('some', 'global', 7),
  cell('all', 'none', 8),
  cell('undecided', 'global', 1),
  cell('no-file', null, 9),
  cell('unreachable', null, 4),
  cell('unknown', null, 5),
];

test('a share is of the sites whose policy is known, or of those with a file', () => {
  expect([countBase(CELLS, 'known'), countBase(CELLS, 'files')]).toEqual([30, 21]);
  const any = getBlocked(CELLS, 'known');
  expect([any.sites.count, any.total, formatPercent(any)]).toEqual([5, 30, '16.7 %']);
  expect(getBlocked(CELLS, 'files', 'name')).toMatchObject({ sites: { count: 3 }, total: 21 });
  expect(getBlocked(CELLS, 'files', 'all')).toMatchObject({ sites: { count: 2 }, total: 21 });
  expect(any.sites.examples.map(({ host }) => host)).toEqual([
    'none.example',
    'none.example',
    'listed-only.example',
  ]);
});

test('a site whose class is undecided, proved or by a reading, has no other class', () => {
  const sites = (count: number) => ({ count, examples: [] });
  const share = getDifferent([
    { proved: 'none', read: 'none', sites: sites(4) },
    { proved: 'none', read: 'some', sites: sites(3) },
    { proved: 'all', read: null, sites: sites(2) },
    { proved: 'all', read: 'undecided', sites: sites(50) },
    { proved: 'undecided', read: 'all', sites: sites(60) },
  ]);
  expect([share.sites.count, share.total]).toEqual([5, 9]);
});

test('a sum has no more examples than a number has', () => {
  const many = {
    count: 40,
    examples: Array.from({ length: 15 }, (_, at) => ({ host: `${at}`, witnesses: [], note: null })),
  };
  const sum = addCounts([many, many]);
  expect([sum.count, sum.examples.length]).toEqual([80, 20]);
  expect(addCounts([])).toEqual({ count: 0, examples: [] });
});

test('a share of nothing is no number', () => {
  const nothing = getBlocked([], 'known');
  expect([toFraction(nothing), formatPercent(nothing), getWeightShare([], 'known')]).toEqual([0, '–', 0]);
});

test('weights count by their sums, in the same base', () => {
  const weights = [10, 20, 5, 40, 25, 0, 100, 1000, 1000];
  const weighted = CELLS.map((each, at) => ({ ...each, weight: weights[at] as number }));
  expect(getWeightShare(weighted, 'known')).toBe(35 / 200);
  expect(getWeightShare(weighted, 'files')).toBe(35 / 100);
});

test('agents are in the order of their shares', () => {
  const access = [
    [cell('all', 'none', 9)],
    [cell('none', 'own', 9)],
    [cell('none', 'own', 4), cell('all', 'none', 4)],
  ];
  expect(orderAgents(access, 'known')).toEqual([1, 2, 0]);
});

test('no line bridges a break', () => {
  const points = [0, 1, 2, 3, 4].map((crawl) => ({ crawl }));
  const parts = splitAtBreaks(points, {
    breaks: [
      { before: 1, text: 'a' },
      { before: 3, text: 'b' },
      { before: 3, text: 'c' },
    ],
  });
  expect(parts.map((part) => part.map(({ crawl }) => crawl))).toEqual([[0], [1, 2], [3, 4]]);
});

test('crawls are placed by time; without times, at equal distances', () => {
  expect(placeCrawls([{ from: 100 }, { from: 200 }, { from: 500 }])).toEqual([0, 0.25, 1]);
  expect(placeCrawls([{ from: 100 }, { from: null }, { from: 500 }])).toEqual([0, 0.5, 1]);
  expect(placeCrawls([{ from: 100 }, { from: 100 }])).toEqual([0, 1]);
  expect(placeCrawls([{ from: null }])).toEqual([0]);
});

test('the panel has the same sites in every crawl, and all sites have others', () => {
  const panel = createSeries(data, 0, { base: 'known', sites: 'panel' });
  const all = createSeries(data, 0, { base: 'known', sites: 'all' });
  expect(new Set(panel.map(({ blocked }) => blocked.total))).toEqual(new Set([data.panel?.sites]));
  expect(new Set(all.map(({ blocked }) => blocked.total)).size).toBeGreaterThan(1);
  const most = findScale([...panel, ...all]);
  for (const { blocked, named } of [...panel, ...all]) {
    expect(toFraction(blocked)).toBeLessThanOrEqual(most);
    expect(named.sites.count).toBeLessThanOrEqual(blocked.sites.count);
  }
});

test('a view survives its fragment; what is unknown has its default', () => {
  const view = { section: 'matrix', base: 'files', agent: 3, sites: 'panel', pair: 0 } as const;
  expect(formatView(data, view)).toBe('#/matrix?of=files&agent=Google-Extended&sites=panel&pair=0');
  expect(parseView(data, formatView(data, view))).toEqual(view);
  const unknown = parseView(data, '#/nothing?of=all&agent=Nobot&sites=some&pair=99');
  expect(unknown).toEqual({ section: '', base: 'known', agent: 0, sites: 'all', pair: 2 });
  expect(formatView(data, unknown)).toBe('#/');
});

test('a report has no sections for data that it does not have', () => {
  const nothing = {
    ranks: [],
    weights: [],
    categories: [],
    groups: [],
    tlds: [],
    named: [],
    generators: [],
    commonFiles: [],
    readings: [],
  };
  const single = { ...createReportData(50, 1), ...nothing };
  expect(listSections(single)).toEqual(['blocked', 'access', 'matrix', 'use', 'captures', 'methods']);
  expect(listSections(data)).toEqual(Object.keys(SECTIONS));
});

test('the CSV of each chart has a row for each number, with what it is a share of', () => {
  const { createStrataTable, getBoth: _, ...others } = tables;
  const all = [
    ...Object.values(others).map((create) => create(data)),
    ...(['ranks', 'tlds'] as const).map((kind) => createStrataTable(data, kind)),
  ];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, columns, rows } of all) {
    expect(rows.length, name).toBeGreaterThan(0);
    for (const row of rows) expect(row, name).toHaveLength(columns.length);
  }
  const [gptBot] = tables.createBlockedTable(data).rows;
  const cells = data.crawls.at(-1)?.access[0] ?? [];
  const blocked = cells.filter(({ access }) => access === 'none' || access === 'listed-only');
  expect(gptBot?.[0]).toBe('GPTBot');
  expect(gptBot?.[3]).toBe(blocked.reduce((sum, { sites }) => sum + sites.count, 0));
  expect(Number(gptBot?.[4]) + Number(gptBot?.[5])).toBe(gptBot?.[3]);
});

test('parts with few sites are behind the others, and the axis of shares ends at a round number', () => {
  const strata = (['press', 'shop', 'tiny', 'none'] as const).map((name, at) => ({
    name,
    stratum: {
      name,
      sites: 0,
      access: [[cell('none', 'own', [5, 10, 3, 0][at] ?? 0), cell('all', 'none', [95, 10, 1, 0][at] ?? 0)]],
    },
  }));
  expect(createStrataShares(strata, 0, 'known').map(({ name, share }) => [name, share.total])).toEqual([
    ['shop', 20],
    ['press', 100],
    ['tiny', 4],
  ]);
  expect([[], [0], [0.031], [0.2, 0.41], [0.99]].map(findAxisEnd)).toEqual([0.001, 0.001, 0.04, 0.6, 1]);
});

test('the matrix is the same from both sides', () => {
  expect(tables.getBoth(data, 1, 4)).toBe(tables.getBoth(data, 4, 1));
  const { rows } = tables.createMatrixTable(data);
  expect(rows).toHaveLength(data.agents.length ** 2);
  expect(rows.find(([one, other]) => one === 'CCBot' && other === 'CCBot')?.[2]).toBe(
    data.matrix.both[1]?.[0]?.count,
  );
});

test('numbers are formatted with their units', () => {
  expect([0, 0.0004, 0.1234, 1].map(formatPercentNumber)).toEqual(['0.0', '<0.1', '12.3', '100.0']);
  const share = (count: number): Parameters<typeof formatPercent>[0] => ({
    sites: { count, examples: [] },
    total: 1000,
  });
  expect([
    formatChange(share(10), share(255)),
    formatChange(share(9), share(1)),
    formatChange(share(1), share(1)),
  ]).toEqual([...['+24.5 points', '−0.8 points', '±0.0 points']]);
  expect(['1-1000', '1000001-', 'unranked'].map(formatRank)).toEqual([
    '1–1,000',
    'over 1,000,000',
    'without a rank',
  ]);
  expect([
    formatSize(0, 1),
    formatSize(1, 32),
    formatSize(262_144, 512_001),
    formatSize(512_001, undefined),
  ]).toEqual([...['0 bytes', '1–31', '262,144–512,000', 'over the size limit']]);
  expect(formatSpan(Date.UTC(2026, 1, 19), Date.UTC(2026, 2, 3, 23))).toBe('19 Feb 2026 to 3 Mar 2026');
  expect([formatSpan(null, null), formatSpan(0, null)]).toEqual([null, '1 Jan 1970']);
});

test('the access of all agents adds up to the sites of a crawl', () => {
  for (const { access, sites } of data.crawls)
    for (const cells of access) {
      expect(cells.reduce((sum, each) => sum + each.sites.count, 0)).toBe(sites);
      expect(cells.every((each) => SITE_ACCESSES.includes(each.access))).toBe(true);
    }
});
