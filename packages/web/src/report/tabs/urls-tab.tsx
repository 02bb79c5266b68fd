/**
 * The table of URLs with its filter, and the evidence about one of them.
 *
 * @module
 */
import { REASONS } from '@maycrawl/core/indexability';
import { STATES, type UrlState } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatNumber } from '../../shared/text.ts';
import { ALL, type Column, type Filter, type Sorting, selectUrls } from '../data/filter.ts';
import type { ReportData } from '../data/report-data.ts';
import { EvidencePanel } from '../parts/evidence-panel.tsx';
import { UrlTable } from '../parts/url-table.tsx';
import { OUTCOME_LABELS, STATE_LABELS } from '../text.ts';

interface UrlsProps {
  readonly data: ReportData;
  readonly agent: number;
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
  ...REASONS.map((reason) => [reason, OUTCOME_LABELS[reason]] as const),
  ['hidden', 'blocked, with other reasons'],
  ['conflict', 'conflicting canonicals'],
  ['unjudged', 'not judged'],
];

/** Shows the table. */
export function UrlsTab(props: UrlsProps): JSX.Element {
  const { data, agent, filter, sorting, selected, onFilter, onSort, onSelect } = props;
  const rows = useMemo(() => selectUrls(data, agent, filter, sorting), [data, agent, filter, sorting]);
  const statuses = useMemo(() => listStatuses(data), [data]);
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
        <Choice
          label="Verdict"
          value={filter.reason}
          choices={REASON_CHOICES}
          onChoose={(reason) => set({ reason })}
        />
        <Choice
          label="Status"
          value={filter.status}
          choices={[['', 'any status'], ...statuses]}
          onChoose={(status) => set({ status })}
        />
        <Choice
          label="State"
          value={filter.state}
          choices={[['', 'any state'], ...STATES.map((state) => [state, STATE_LABELS[state]] as const)]}
          onChoose={(state) => set({ state: state as UrlState | '' })}
        />
        <Choice
          label="Sitemap"
          value={filter.sitemap}
          choices={[
            ['', 'any sitemap state'],
            ['in', 'in a sitemap'],
            ['out', 'in no sitemap'],
          ]}
          onChoose={(sitemap) => set({ sitemap: sitemap as Filter['sitemap'] })}
        />
        <button type="button" onClick={() => onFilter(ALL)}>
          Show all
        </button>
        <span class="count" role="status">
          {formatNumber(rows.length)} of {formatNumber(data.count)} URLs
        </span>
      </search>
      <div class={selected === null ? 'split' : 'split open'}>
        {rows.length === 0 ? (
          <p class="card">No URL matches.</p>
        ) : (
          <UrlTable {...{ data, agent, rows, sorting, selected, onSelect }} onSort={sort} />
        )}
        {selected !== null && (
          <EvidencePanel
            {...{ data, agent }}
            index={selected}
            onOpen={onSelect}
            onClose={() => onSelect(null)}
          />
        )}
      </div>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, choices, onChoose }: ChoiceProps): JSX.Element {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {choices.map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

function listStatuses(data: ReportData): (readonly [string, string])[] {
  const codes = [...new Set(data.statuses)].filter((status) => status > 0).sort((a, b) => a - b);
  const classes = [...new Set(codes.map((status) => `${Math.floor(status / 100)}xx`))];
  return [...classes, ...codes.map(String)]
    .map((each) => [each, each] as const)
    .concat([['none', 'no response']]);
}
