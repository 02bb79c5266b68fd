/**
 * The segments of the run as a table, in which each number opens its list.
 *
 * @module
 */
import { STATUS_CLASSES, type StatusClass } from 'maycrawl/api';
import type { JSX } from 'preact';
import { SEVERITIES } from '../../shared/severity.tsx';
import { NumberHead } from '../../shared/table/column-head.tsx';
import { CountButton } from '../../shared/table/count-button.tsx';
import { formatMilliseconds } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { DEFAULT_FILTER, type Filter } from '../data/filter.ts';
import type { ReportData } from '../data/report-data.ts';

interface SegmentsProps {
  readonly data: ReportData;
  readonly agent: number;
  readonly onFilter: (filter: Filter) => void;
}

const STATUS_LABELS: Readonly<Partial<Record<StatusClass, string>>> = {
  none: 'No response',
  blocked: 'Blocked',
};
const SEVERITY_LABELS = { error: 'Errors', warning: 'Warnings', info: 'Info' } as const;

/** Shows the table. */
export function SegmentsTab({ data, agent, onFilter }: SegmentsProps): JSX.Element {
  const { kind, list } = data.head.segments;
  const rows = list.flatMap((segment) => {
    const counts = segment.agents[agent];
    return counts === undefined ? [] : [{ ...segment, counts }];
  });
  const classes = STATUS_CLASSES.filter((each) => rows.some(({ counts }) => counts.statuses[each] > 0));
  const columns: readonly Column[] = [
    { label: 'URLs', count: ({ counts }) => counts.judged, filter: {} },
    { label: 'Indexable', count: ({ counts }) => counts.indexable, filter: { reason: 'indexable' } },
    ...classes.map((each) => ({
      label: STATUS_LABELS[each] ?? each,
      count: ({ counts }: Row) => counts.statuses[each],
      filter: each === 'blocked' ? { reason: each } : { status: each },
    })),
    ...SEVERITIES.map((severity) => ({
      label: SEVERITY_LABELS[severity],
      count: ({ counts }: Row) => counts.findings[severity],
      filter: { finding: severity },
    })),
  ];
  return (
    <section class="card">
      <h2>{kind === 'folders' ? 'Folders' : 'Segments'}</h2>
      <p class="aside">
        {kind === 'folders'
          ? 'The folders with the most URLs. A URL counts for the deepest folder of the table that it is in. The option --segment defines other parts of the site.'
          : 'The parts of the site that --segment defines. A URL counts for the first one that matches.'}{' '}
        Errors, Warnings and Info count URLs with such findings. Half of the responses, and 95 % of them, took
        at most the time of their column, as measured by this crawl.
      </p>
      <div class="scroll">
        <table class="segments">
          <thead>
            <tr>
              <th scope="col">{kind === 'folders' ? 'Folder' : 'Segment'}</th>
              {columns.map(({ label }) => (
                <NumberHead key={label}>{label}</NumberHead>
              ))}
              <NumberHead>Median</NumberHead>
              <NumberHead>95 %</NumberHead>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{visible(row.name, 100)}</th>
                {columns.map(({ label, count, filter }) => (
                  <td key={label} class="number">
                    <CountButton
                      count={count(row)}
                      label={`${visible(row.name, 100)}, ${label}`}
                      onChoose={() => onFilter({ ...DEFAULT_FILTER, ...filter, segment: row.name })}
                    />
                  </td>
                ))}
                <td class="number">{formatTime(row.responseTime?.median)}</td>
                <td class="number">{formatTime(row.responseTime?.p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

type Segment = ReportData['head']['segments']['list'][number];
type Row = Segment & { readonly counts: Segment['agents'][number] };

interface Column {
  readonly label: string;
  readonly count: (row: Row) => number;
  /** Of the URLs that are counted. */
  readonly filter: Partial<Filter>;
}

function formatTime(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : formatMilliseconds(milliseconds);
}
