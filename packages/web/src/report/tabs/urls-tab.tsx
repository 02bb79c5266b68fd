// The table of URLs with its filter, and the evidence about one of them.

import type { Severity } from '@maycrawl/core';
import { REASONS } from '@maycrawl/core/indexability';
import { describeFindings, FINDING_CODES, type FindingCode, STATES } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Select, toChoices } from '../../shared/fields/select.tsx';
import { download } from '../../shared/files.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { createCsv } from '../data/csv.ts';
import { type Column, DEFAULT_FILTER, type Filter, type Sorting, selectUrls } from '../data/filter.ts';
import type { ReportData } from '../data/report-data.ts';
import { formatUseCondition } from '../data/use.ts';
import { EvidencePanel } from '../parts/evidence-panel.tsx';
import { UrlTable } from '../parts/url-table.tsx';
import { ReportContext, useReport } from '../report-context.ts';
import { FORMAT_LABELS, formatDetail, OUTCOME_TEXTS, STATE_LABELS, USE_LABELS } from '../text.ts';

interface UrlsProps {
  readonly filter: Filter;
  readonly sorting: Sorting;
  readonly selected: number | null;
  readonly onFilter: (filter: Filter) => void;
  readonly onSort: (sorting: Sorting) => void;
  readonly onSelect: (index: number | null) => void;
}

const REASON_CHOICES: readonly (readonly [string, string])[] = [
  ['', 'any verdict'],
  ['indexable', 'indexable'],
  ['not-indexable', 'not indexable'],
  ...REASONS.map((reason) => [reason, OUTCOME_TEXTS[reason].label] as const),
  ['hidden', 'blocked, with other reasons'],
  ['conflict', 'conflicting canonicals'],
  ['unjudged', 'not judged'],
];

const STATE_CHOICES: readonly (readonly [string, string])[] = [
  ['judged', 'judged URLs'],
  ['', 'all URLs'],
  ...STATES.map((state) => [state, STATE_LABELS[state]] as const),
];

const SEVERITIES: readonly (readonly [Severity, string])[] = [
  ['error', 'with errors'],
  ['warning', 'with warnings'],
  ['info', 'with info findings'],
];

/** Depths and details that can be chosen. */
const [MAX_DEPTHS, MAX_DETAILS] = [100, 200];

export function UrlsTab(props: UrlsProps): JSX.Element {
  const { filter, sorting, selected, onFilter, onSort, onSelect } = props;
  const report = useReport();
  const { data, agent } = report;
  const rows = useMemo(() => selectUrls(data, agent, filter, sorting), [data, agent, filter, sorting]);
  const statuses = useMemo(() => listStatuses(data), [data]);
  const findings = useMemo(() => listFindings(data, agent), [data, agent]);
  const details = useMemo(() => listDetails(data, agent, filter.finding), [data, agent, filter.finding]);
  const depths = useMemo(() => listDepths(data), [data]);
  const uses = useMemo(() => listUses(data, agent, filter.use), [data, agent, filter.use]);
  const isJudged = filter.state === 'judged';
  const total = useMemo(
    () => (isJudged ? selectUrls(data, agent, DEFAULT_FILTER, sorting).length : data.count),
    [data, agent, isJudged],
  );
  const set = (change: Partial<Filter>): void => onFilter({ ...filter, ...change });
  const sort = (column: Column): void =>
    onSort({ column, descending: sorting.column === column && !sorting.descending });
  return (
    <>
      <search class="bar filters" aria-label="Filter">
        <input
          type="text"
          class="grow"
          aria-label="Filter by URL or title"
          placeholder="Filter by URL or title"
          value={filter.text}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
        <Select
          isLabelHidden
          label="Verdict"
          value={filter.verdict}
          choices={REASON_CHOICES}
          onChoose={(verdict) => set({ verdict })}
        />
        <Select
          isLabelHidden
          label="Status"
          value={filter.status}
          choices={[['', 'any status'], ...statuses]}
          onChoose={(status) => set({ status })}
        />
        <Select
          isLabelHidden
          label="State"
          value={filter.state}
          choices={STATE_CHOICES}
          onChoose={(state) => set({ state })}
        />
        <Select
          isLabelHidden
          label="Sitemap"
          value={filter.sitemap}
          choices={[
            ['', 'any sitemap state'],
            ['in', 'in a sitemap'],
            ['out', 'in no sitemap'],
          ]}
          onChoose={(sitemap) => set({ sitemap })}
        />
        <Select
          isLabelHidden
          label="Depth"
          value={filter.depth}
          choices={[['', 'any depth'], ...depths]}
          onChoose={(depth) => set({ depth })}
        />
        <Select
          isLabelHidden
          label="Finding"
          value={filter.finding}
          choices={[['', 'with or without findings'], ...findings]}
          onChoose={(finding) => set({ finding, detail: '' })}
        />
        {data.head.segments.list.length > 1 && (
          <Select
            isLabelHidden
            label="Segment"
            value={filter.segment}
            choices={[
              ['', 'any segment'],
              ...data.head.segments.list.map(({ name }) => [name, visible(name, 60)] as const),
            ]}
            onChoose={(segment) => set({ segment })}
          />
        )}
        {uses.length > 0 && (
          <Select
            isLabelHidden
            label="Use"
            value={filter.use}
            choices={[['', 'any use of content'], ...uses]}
            onChoose={(use) => set({ use })}
          />
        )}
        {details.length > 1 && (
          <Select
            isLabelHidden
            label="Detail"
            value={filter.detail}
            choices={[['', 'any detail'], ...details]}
            onChoose={(detail) => set({ detail })}
          />
        )}
        <button type="button" onClick={() => onFilter(DEFAULT_FILTER)}>
          Clear filter
        </button>
        <button
          type="button"
          disabled={rows.length === 0}
          onClick={() => download('urls.csv', createCsv(data, agent, rows))}
        >
          Export CSV
        </button>
        <span class="count" role="status">
          {formatNumber(rows.length)} of {formatNumber(total)} {isJudged ? 'judged URLs' : 'URLs'}
        </span>
      </search>
      <div class={selected === null ? 'split' : 'split open'}>
        {rows.length === 0 ? (
          <p class="card">No URL matches.</p>
        ) : (
          <UrlTable {...{ rows, sorting, selected, onSelect }} onSort={sort} />
        )}
        {selected !== null && (
          <ReportContext.Provider value={{ ...report, onOpen: onSelect }}>
            <EvidencePanel index={selected} onClose={() => onSelect(null)} />
          </ReportContext.Provider>
        )}
      </div>
    </>
  );
}

function listStatuses(data: ReportData): Choices {
  const codes = [...new Set(data.statuses)].filter((status) => status > 0).sort((a, b) => a - b);
  const classes = [...new Set(codes.map((status) => `${Math.floor(status / 100)}xx`))];
  return [...toChoices([...classes, ...codes.map(String)]), ['none', 'no response']];
}

type Choices = readonly (readonly [value: string, label: string])[];

function listFindings(data: ReportData, agent: number): Choices {
  const findings = data.head.agents[agent]?.findings ?? [];
  const severities = SEVERITIES.filter(([name]) => findings.some(({ severity }) => severity === name));
  const counts = new Map<FindingCode, number>();
  for (const { code, count } of findings) counts.set(code, (counts.get(code) ?? 0) + count);
  const codes = Array.from(counts, ([code, count]) => [code, describeFindings(code, count)] as const);
  return [...severities, ...codes];
}

function listDetails(data: ReportData, agent: number, finding: string): Choices {
  const code = FINDING_CODES.find((each) => each === finding);
  if (code === undefined) return [];
  const details = data.findings.getGroups(code, agent).flatMap(({ detail }) => detail ?? []);
  return [...new Set(details)].slice(0, MAX_DETAILS).map((detail) => [detail, formatDetail(code, detail)]);
}

/** Lists the preferences that occur, and the chosen one, which the tab about use can restrict to a format. */
function listUses({ head: { preferences } }: ReportData, agent: number, chosen: string): Choices {
  const purposes = Object.entries(preferences?.agents[agent]?.purposes ?? {});
  const choices = purposes.flatMap(([purpose, counts]) => {
    const values = { ...counts, 'not-applicable': counts.notApplicable };
    return USES.filter((value) => values[value] > 0).map(
      (value) => [formatUseCondition({ purpose, value, format: '' }), describeUse(purpose, value)] as const,
    );
  });
  const isListed = chosen === '' || choices.some(([value]) => value === chosen);
  if (choices.length === 0 || isListed) return choices;
  const [purpose = '', value = '', format = ''] = chosen.split(':');
  return [...choices, [chosen, `${describeUse(purpose, value)} (${FORMAT_LABELS[format] ?? format})`]];
}

const USES = ['allowed', 'disallowed', 'unknown', 'not-applicable'] as const;

function describeUse(purpose: string, value: string): string {
  return visible(`${purpose}: ${(USE_LABELS as Readonly<Record<string, string>>)[value] ?? value}`, 80);
}

function listDepths({ depths }: ReportData): Choices {
  let deepest = 0;
  for (const depth of depths) deepest = Math.max(deepest, depth);
  const numbers = Array.from({ length: Math.min(deepest, MAX_DEPTHS) + 1 }, (_, depth) => depth);
  return [
    ...numbers.map((depth) => [String(depth), formatCount(depth, 'link')] as const),
    ...numbers.slice(0, -1).map((depth) => [`${depth}+`, `more than ${formatCount(depth, 'link')}`] as const),
    ['none', 'not linked from a start'],
  ];
}
