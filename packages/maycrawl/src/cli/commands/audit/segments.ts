// The segments of a run as a table.
import { type SegmentsSummary, STATUS_CLASSES } from '../../../audit/report/segments-summary.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { formatTable } from '../../output/table.ts';

/** Crawlers with columns of their own: a terminal is not wide. JSON and the report have all. */
const MAX_AGENTS = 3;

/** Describes the segments of a run in a table. */
export function describeSegments({ kind, list }: SegmentsSummary): string {
  const agents = list[0]?.agents.slice(0, MAX_AGENTS).map(({ agent }) => visible(agent)) ?? [];
  const isSingle = agents.length === 1;
  const classes = STATUS_CLASSES.filter(
    (each) =>
      (isSingle || each === 'blocked') &&
      list.some((segment) => segment.agents.some(({ statuses }) => statuses[each] > 0)),
  );
  const head = [
    ...[kind === 'folders' ? 'folder' : 'segment', 'URLs', 'median', '95 %'],
    ...agents.flatMap((agent) => [
      `${isSingle ? '' : `${agent}: `}indexable`,
      ...classes,
      'errors',
      'warnings',
    ]),
  ];
  const rows = list.map((segment) => [
    ...[visible(segment.name), formatCount(segment.urls)],
    ...[formatTime(segment.responseTime?.median), formatTime(segment.responseTime?.p95)],
    ...segment.agents
      .slice(0, MAX_AGENTS)
      .flatMap(({ indexable, statuses, findings }) =>
        [indexable, ...classes.map((each) => statuses[each]), findings.error, findings.warning].map((count) =>
          formatCount(count),
        ),
      ),
  ]);
  return `\n${formatTable(head, rows)}`;
}

function formatTime(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '-' : `${formatCount(milliseconds)} ms`;
}
