// A run as a workbook of Excel: a summary, the segments, broken links, the findings, and the URLs.
import { REASONS } from '@maycrawl/core/indexability';
import { FINDING_KINDS, getAdvice } from '../../findings/finding-kinds.ts';
import { describeSource, LinkSources } from '../../findings/link-sources.ts';
import { findLinks } from '../../links/page-links.ts';
import { BROKEN } from '../../links/target-statuses.ts';
import { isIndexingCrawler } from '../../run/indexing-crawlers.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings, type SegmentPattern } from '../../run/settings.ts';
import { orderFindings } from '../finding-order.ts';
import { RECORD_COLUMNS } from '../formats/csv.ts';
import { type SegmentsSummary, STATUS_CLASSES } from '../segments-summary.ts';
import { describeEnd, type RunSummary, summarizeRun } from '../summary.ts';
import { UrlReporter } from '../url-report.ts';
import type { XlsxCell } from './cells.ts';
import { createWorkbook, type Sheet } from './workbook.ts';

/** Widths of columns with text, in characters; others are as wide as their names. */
const WIDTHS: Readonly<Record<string, number>> = {
  url: 60,
  ...{ agent: 16, rule: 30, redirects: 40, canonical_urls: 40, findings: 30, sitemaps: 40, title: 40 },
};

interface RunWorkbookOptions {
  /** Whether URLs out of the scope of the audit have rows. @defaultValue `false` */
  readonly hasOutside?: boolean;
  /** Segments instead of those in the settings of the run. */
  readonly segments?: readonly SegmentPattern[] | undefined;
}

/** Creates the workbook of a judged run. @returns the bytes of the file. */
export function createRunWorkbook(
  run: RunStore,
  { hasOutside = false, segments }: RunWorkbookOptions,
): AsyncGenerator<Uint8Array> {
  return createWorkbook(async (add) => {
    const urls = await add({
      name: 'URLs',
      columns: RECORD_COLUMNS.map(([name]) => [name, WIDTHS[name] ?? Math.max(10, name.length + 4)]),
      rows: readUrlRows(run, hasOutside),
    });
    const links = await add({ name: 'Broken links', columns: LINK_COLUMNS, rows: listBrokenLinks(run) });
    const findings = await add({
      name: 'Findings',
      columns: FINDING_COLUMNS,
      rows: listFindings(run),
    });
    const cutCells = urls.cutCells + findings.cutCells + links.cutCells;
    const summary = summarizeRun(run, segments);
    await add({ name: 'Segments', ...createSegmentTable(summary.segments) });
    await add({ name: 'Summary', ...createSummary(summary, cutCells) });
  });
}

function* readUrlRows(run: RunStore, hasOutside: boolean): Generator<XlsxCell[]> {
  const reporter = new UrlReporter(run, 'with-links');
  for (const report of reporter.all(hasOutside)) yield RECORD_COLUMNS.map(([, cell]) => cell(report));
}

const FINDING_COLUMNS: Sheet['columns'] = [
  ['severity', 10],
  ['code', 26],
  ['agent', 16],
  ['url', 60],
  ['detail', 30],
  ['targets', 60],
  ['links', 8],
  ['linked from', 60],
  ['finding', 40],
  ['action', 60],
];

/** Iterates over the findings in their order. */
function* listFindings(run: RunStore): Generator<XlsxCell[]> {
  const { agents } = getSettings(run);
  const sources = new LinkSources(run);
  for (const { code, severity } of orderFindings(run.findings.count()))
    for (const [place, agent] of agents.entries()) {
      const { action } = getAdvice(code, isIndexingCrawler(agent));
      for (const { key, url, links, detail, targets } of run.findings.list(code, place, { severity })) {
        const from = sources.find(code, key)?.pages.map(describeSource).join('\n') || null;
        const others = [targets.join('\n') || null, links, from];
        yield [severity, code, agent, url, detail, ...others, FINDING_KINDS[code].one, action];
      }
    }
}

const LINK_COLUMNS: Sheet['columns'] = [
  ['from', 60],
  ['to', 60],
  ['status', 8],
  ['failure', 12],
  ['texts', 40],
  ['types', 16],
];

/** Iterates over the links to URLs that respond with an error, or do not respond. */
function* listBrokenLinks(run: RunStore): Generator<XlsxCell[]> {
  for (const { from, to, status, failure, texts, types } of findLinks(run, { statuses: BROKEN }))
    yield [from, to, status, failure, texts.join('\n') || null, types.join(' ')];
}

/** Creates a row for each segment and crawler. */
function createSegmentTable({ list }: SegmentsSummary): Pick<Sheet, 'columns' | 'rows'> {
  const numbers = ['indexable', 'errors', 'warnings', 'info', 'median ms', '95 % ms', ...STATUS_CLASSES];
  return {
    columns: [['segment', 40], ['agent', 16], ['urls', 10], ...numbers.map((name) => [name, 12] as const)],
    rows: list.flatMap(({ name, responseTime, agents }) =>
      agents.map(({ agent, judged, indexable, statuses, findings }) => [
        ...[name, agent, judged, indexable, findings.error, findings.warning, findings.info],
        ...[responseTime?.median ?? null, responseTime?.p95 ?? null],
        ...STATUS_CLASSES.map((each) => statuses[each]),
      ]),
    ),
  };
}

function createSummary(
  { settings, end, counts, total, inSitemaps, agents, robots }: RunSummary,
  cutCells: number,
): Pick<Sheet, 'columns' | 'rows'> {
  const rows: XlsxCell[][] = [
    [null, 'Starts', settings.starts.join('\n')],
    [null, 'Started', new Date(settings.startedAt).toISOString()],
    [null, 'State', describeEnd(end, counts)],
    [null, 'URLs', total],
    ...Object.entries(counts).map(([state, count]) => [null, `URLs: ${state}`, count]),
    [null, 'URLs in sitemaps', inSitemaps],
  ];
  for (const { agent, judged, indexable, primary, findings } of agents)
    rows.push(
      [agent, 'URLs with a verdict', judged],
      [agent, 'Indexable', indexable],
      ...REASONS.map((reason) => [agent, `Not indexable: ${reason}`, primary[reason]]),
      ...findings.map(({ severity, code, count }) => [agent, `${severity}: ${code}`, count]),
    );
  for (const { origin, meaning } of robots) rows.push([null, `${origin}/robots.txt`, meaning]);
  if (cutCells > 0)
    rows.push([
      null,
      'Cut cells',
      `${cutCells}: Excel has at most 32,767 characters in a cell. NDJSON has the whole text.`,
    ]);
  return {
    columns: [
      ['agent', 16],
      ['fact', 36],
      ['value', 80],
    ],
    rows,
  };
}
