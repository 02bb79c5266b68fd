// The segments of the run as a table, in which each number opens its list.
import { STATUS_CLASSES, type StatusClass } from 'maycrawl/api';
import type { JSX } from 'preact';
import { SEVERITIES } from '../../shared/severity.tsx';
import { CountButton } from '../../shared/table/count-button.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatMilliseconds } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { DEFAULT_FILTER, type Filter } from '../data/filter.ts';
import type { ReportData } from '../data/report-data.ts';
import { useReport } from '../report-context.ts';

const STATUS_LABELS: Readonly<Partial<Record<StatusClass, string>>> = {
  none: 'No response',
  blocked: 'Blocked',
};
const SEVERITY_LABELS = { error: 'Errors', warning: 'Warnings', info: 'Info' } as const;

export function SegmentsTab(): JSX.Element {
  const { data, agent, onFilter } = useReport();
  const { kind, list } = data.head.segments;
  const rows = list.flatMap((segment) => {
    const counts = segment.agents[agent];
    return counts === undefined ? [] : [{ ...segment, counts }];
  });
  const classes = STATUS_CLASSES.filter((each) => rows.some(({ counts }) => counts.statuses[each] > 0));
  const toColumn = (title: string, count: (row: Row) => number, filter: Partial<Filter>): Column<Row> => ({
    title,
    kind: 'number',
    getCell: (row) => (
      <CountButton
        count={count(row)}
        label={`${visible(row.name, 100)}, ${title}`}
        onChoose={() => onFilter({ ...DEFAULT_FILTER, ...filter, segment: row.name })}
      />
    ),
  });
  const columns: readonly Column<Row>[] = [
    {
      title: kind === 'folders' ? 'Folder' : 'Segment',
      kind: 'row',
      getCell: ({ name }) => visible(name, 100),
    },
    toColumn('URLs', ({ counts }) => counts.judged, {}),
    toColumn('Indexable', ({ counts }) => counts.indexable, { verdict: 'indexable' }),
    ...classes.map((each) =>
      toColumn(
        STATUS_LABELS[each] ?? each,
        ({ counts }) => counts.statuses[each],
        each === 'blocked' ? { verdict: each } : { status: each },
      ),
    ),
    ...SEVERITIES.map((severity) =>
      toColumn(SEVERITY_LABELS[severity], ({ counts }) => counts.findings[severity], { finding: severity }),
    ),
    { title: 'Median', kind: 'number', getCell: ({ responseTime }) => formatTime(responseTime?.median) },
    { title: '95 %', kind: 'number', getCell: ({ responseTime }) => formatTime(responseTime?.p95) },
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
        <DataTable class="segments" rows={rows} getKey={({ name }) => name} columns={columns} />
      </div>
    </section>
  );
}

type Segment = ReportData['head']['segments']['list'][number];
type Row = Segment & { readonly counts: Segment['agents'][number] };

function formatTime(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : formatMilliseconds(milliseconds);
}
