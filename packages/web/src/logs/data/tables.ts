// The numbers of each chart, as its CSV has them.
import type { AuditComparison, CsvCell, ReportCrawler, ReportLog, ReportRule } from 'maycrawl/api';
import type { ChartTable } from '../../shared/charts/chart.tsx';
import { CLASS_LABELS, IDENTITY_LABELS } from '../text.ts';
import type { LogData } from './log-data.ts';

const IDENTITIES = Object.keys(IDENTITY_LABELS) as readonly (keyof typeof IDENTITY_LABELS)[];
const CLASSES = Object.keys(CLASS_LABELS) as readonly (keyof typeof CLASS_LABELS)[];

export function createCrawlerTable({ log }: LogData, crawlers: readonly ReportCrawler[]): ChartTable {
  const columns = [
    ...['crawler', 'operator', 'purposes', 'from', 'to', 'requests', 'bytes', ...IDENTITIES],
    ...CLASSES.map((name) => name.replaceAll('-', '_')),
    ...['robots_txt_fetches', 'robots_txt_last', 'robots_txt_median_interval_seconds'],
    ...['worst_rule', 'worst_rule_line', 'worst_rule_version', 'worst_rule_requests'],
  ];
  const rows = crawlers.map((crawler): CsvCell[] => {
    const { identity, classes, robotsTxt, worstRule } = crawler;
    return [
      ...[crawler.crawler, crawler.operator, crawler.purposes.join(' '), log.from, log.to],
      ...[crawler.requests, crawler.bytes],
      ...IDENTITIES.map((name) => identity[name]),
      ...CLASSES.map((name) => classes[name]),
      ...[robotsTxt.fetches, robotsTxt.last, robotsTxt.medianInterval],
      ...[worstRule?.rule ?? null, worstRule?.line ?? null, worstRule?.version ?? null],
      worstRule?.requests ?? null,
    ];
  });
  return { name: 'crawlers', columns, rows };
}

/** A row for each rule and crawler. */
export function createRuleTable(rules: readonly ReportRule[]): ChartTable {
  const rows = rules.flatMap(({ site, version, line, kind, rule, requests, crawlers }) =>
    crawlers.map((each): CsvCell[] => [
      ...[site, version, line, kind, rule],
      ...[requests, each.crawler, each.requests],
    ]),
  );
  const columns = ['site', 'version', 'line', 'kind', 'rule', 'requests', 'crawler', 'crawler_requests'];
  return { name: 'rules', columns, rows };
}

export function createUnusedTable(rules: ReportLog['unusedRules']): ChartTable {
  const rows = rules.map(({ site, version, line, kind, rule }): CsvCell[] => [
    site,
    version,
    line,
    kind,
    rule,
  ]);
  return { name: 'unused-rules', columns: ['site', 'version', 'line', 'kind', 'rule'], rows };
}

export function createWhatIfTable(crawlers: readonly ReportCrawler[]): ChartTable {
  const rows = crawlers.flatMap((crawler): CsvCell[][] => {
    const { whatIf } = crawler;
    if (whatIf === null) return [];
    const { isVerified, requests, bytes, stopped, stoppedBytes, opened, openedBytes } = whatIf;
    const basis = isVerified ? 'verified' : 'not spoofed';
    return [[crawler.crawler, basis, requests, bytes, stopped, stoppedBytes, opened, openedBytes]];
  });
  const columns = [
    'crawler',
    'basis',
    'requests',
    'bytes',
    'stopped',
    'stopped_bytes',
    'opened',
    'opened_bytes',
  ];
  return { name: 'what-if', columns, rows };
}

export function createSegmentTable(segments: AuditComparison['segments']): ChartTable {
  const columns = ['segment', 'indexable', 'searched', 'blocked', 'noindex', 'redirected', 'missing'];
  const rows = segments.map((each): CsvCell[] => [
    ...[each.segment, each.indexable, each.searched],
    ...[each.blocked, each.noindex, each.redirected, each.missing],
  ]);
  return { name: 'segments', columns, rows };
}
