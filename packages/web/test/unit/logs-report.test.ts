import type { ReportCrawler } from 'maycrawl/api';
import { expect, test } from 'vitest';
import { HTML_LIMITS, limitSummary } from '../../../maycrawl/src/logs/report/html-limits.ts';
import type { LogSections } from '../../../maycrawl/src/logs/report/report-data.ts';
import { createLogSummary } from '../../../maycrawl/test/support/log-summary.ts';
import { filterCrawlers, groupCrawlers, sortCrawlers } from '../../src/logs/data/crawler-list.ts';
import { getOwn, type LogData, sumCrawlers } from '../../src/logs/data/log-data.ts';
import * as tables from '../../src/logs/data/tables.ts';
import { formatView, listSections, parseView, type View } from '../../src/logs/data/view.ts';
import { findCountEnd } from '../../src/logs/parts/period-chart.tsx';
import { describeRule, formatCounts, omitOrigin } from '../../src/logs/text.ts';

const [[, log], ...items] = limitSummary(createLogSummary(), HTML_LIMITS[0] as never) as [
  [string, LogSections['log']],
  ...[string, LogSections['crawlers']][],
];
const data: LogData = { log, crawlers: items.map(([, crawler]) => crawler) };
const listNames = (crawlers: readonly ReportCrawler[]): string[] => crawlers.map(({ crawler }) => crawler);

test('a filter finds all words in name and operator, and an empty one all crawlers', () => {
  expect(listNames(filterCrawlers(data.crawlers, ' OPENAI  gpt '))).toEqual(['GPTBot', 'ChatGPT-User']);
  expect(filterCrawlers(data.crawlers, ' ')).toHaveLength(data.crawlers.length);
});

test('crawlers sort by each column, and have groups in the order of purposes', () => {
  const sort = (column: 'crawler' | 'violations', descending: boolean): string[] =>
    listNames(sortCrawlers(data.crawlers, { column, descending })).slice(0, 2);
  expect(sort('violations', true)).toEqual(['Bytespider', 'pricewatch']);
  expect(sort('crawler', false)).toEqual(['AhrefsBot', 'bingbot']);
  expect(sort('crawler', true)).toEqual(['YandexBot', 'SemrushBot']);
  expect(groupCrawlers(data.crawlers).map(({ title, crawlers }) => [title, crawlers.length])).toEqual([
    ...[
      ['Results of a search engine', 3],
      ['Training of AI models', 4],
    ],
    ...[
      ['A request of a user', 1],
      ['Search engine optimisation', 2],
      ['No documented purpose', 1],
    ],
  ]);
});

test('a view is the same after it was formatted and parsed; unknown parts have their defaults', () => {
  const view: View = {
    ...{ section: 'rules', text: 'a&b?c=#', isGrouped: false, open: ['GPTBot', 'CCBot'] },
    sorting: { column: 'bytes', descending: false },
  };
  expect(parseView(data, formatView(view))).toEqual(view);
  expect(parseView(data, '#/none?sort=-none&open=__proto__&open=nothing')).toEqual(parseView(data, ''));
  expect(formatView(parseView(data, ''))).toBe('#/');
});

test('sections about another file and an audit need data about them', () => {
  expect(listSections(data)).toContain('what-if');
  const crawlers = data.crawlers.map((each) => ({ ...each, whatIf: null }));
  expect(listSections({ log: { ...log, audit: null }, crawlers })).toEqual([
    ...['findings', 'crawlers', 'rules', 'meaning'],
  ]);
});

test('classes and identities of all crawlers add up to their requests', () => {
  const { requests, identity, classes } = sumCrawlers(data.crawlers);
  const sum = (counts: object): number => Object.values(counts).reduce((all, each) => all + each, 0);
  expect(sum(identity)).toBe(requests);
  expect(sum(classes)).toBe(requests - (identity.spoofed ?? 0));
  expect(getOwn({ requests: 5, bytes: 70, spoofed: { requests: 2, bytes: 50, networks: [] } })).toEqual({
    requests: 3,
    bytes: 20,
  });
});

test('each row of a CSV has a cell for each column', () => {
  for (const { columns, rows } of [
    tables.createCrawlerTable(data, data.crawlers),
    tables.createRuleTable(log.rules),
    tables.createUnusedTable(log.unusedRules),
    tables.createWhatIfTable(data.crawlers),
    tables.createSegmentTable(log.audit?.segments ?? []),
  ]) {
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toHaveLength(columns.length);
  }
});

test('an axis of counts ends at a round number whose half is a whole number', () => {
  expect([[], [1], [3], [11], [61], [100], [2_401]].map(findCountEnd)).toEqual([2, 2, 4, 20, 80, 100, 4_000]);
});

test('phrases about rules, statuses and URLs', () => {
  expect(describeRule({ line: 14, rule: '/a' })).toBe('line 14, Disallow: /a');
  expect(describeRule({ line: 0, rule: null })).toBe('no rule: the whole site was closed');
  expect(formatCounts({ 200: 3, none: 1_234 }, 4)).toBe('no response: 1,234, 200: 3, and 2 others');
  expect(omitOrigin('https://a.example/x', 'https://a.example')).toBe('/x');
  expect(omitOrigin('https://a.example.evil/x', 'https://a.example')).toBe('https://a.example.evil/x');
});
