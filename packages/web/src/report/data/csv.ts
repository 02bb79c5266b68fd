// Rows of the table as CSV.
import { type CsvCell, formatCsvHead, formatCsvLine } from 'maycrawl/api';
import { getOutcome } from './outcome.ts';
import { NONE, type ReportData } from './report-data.ts';
import { getUse, type Use } from './use.ts';

const COLUMNS = [
  ...(['url', 'agent', 'state', 'verdict', 'reasons', 'status', 'depth', 'links', 'sitemap'] as const),
  ...(['milliseconds', 'bytes', 'title', 'findings', 'targets'] as const),
];

/** Creates the file. @param rows - indexes of URLs. */
export function createCsv(data: ReportData, agent: number, rows: Uint32Array): string {
  const lines = Array.from(rows, (index) => formatCsvLine(createCells(data, agent, index)));
  const uses = listPurposes(data).map((purpose) => `use ${purpose}`);
  return formatCsvHead([...COLUMNS, ...uses]) + lines.join('');
}

function createCells(data: ReportData, agent: number, index: number): CsvCell[] {
  const verdict = data.getVerdict(index, agent);
  const isBlocked = data.isBlocked(index, agent);
  const findings = data.findings.ofUrl(index, agent);
  const number = (value: number | undefined): CsvCell =>
    isBlocked || value === NONE ? null : (value ?? null);
  const depth = data.depths[index];
  return [
    data.urls[index] ?? '',
    data.head.agents[agent]?.agent ?? '',
    data.getState(index),
    getOutcome(verdict),
    (verdict?.reasons ?? []).join(' '),
    number(data.statuses[index]),
    depth === NONE ? null : (depth ?? null),
    data.links[index] ?? 0,
    data.isInSitemap(index),
    number(data.milliseconds[index]),
    isBlocked ? null : data.get(index, 'bytes'),
    isBlocked ? null : data.get(index, 'title'),
    findings.map(({ code, detail }) => (detail === null ? code : `${code}: ${detail}`)).join('\n'),
    [
      ...findings.flatMap(({ targets }) => targets.map((target) => data.getUrl(target))),
      ...(isBlocked ? [] : data.getBlockedResources(index, agent).map(({ url }) => url)),
    ].join('\n'),
    ...listPurposes(data).map((purpose) => formatUse(getUse(data, index, agent, purpose))),
  ];
}

/** The purposes about which something is declared. */
function listPurposes({ head: { preferences } }: ReportData): readonly string[] {
  return preferences?.purposes ?? [];
}

function formatUse(use: Use): CsvCell {
  return use === 'none' ? null : use;
}
