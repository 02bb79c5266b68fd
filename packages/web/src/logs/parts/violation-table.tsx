// The listed violations of a crawler.
import type { ReportCrawler, Violation } from 'maycrawl/api';
import type { JSX } from 'preact';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { formatRule, formatTime, omitOrigin, READ_LABELS } from '../text.ts';

/** @param origin - of the only site, which URLs omit; `null` if there are several. */
const listColumns = (origin: string | null): readonly Column<Violation>[] => [
  {
    title: 'Time (UTC)',
    kind: 'row',
    getCell: ({ time }) => <time dateTime={time}>{formatTime(time)}</time>,
  },
  { title: 'URL', note: 'URL', getCell: ({ url }) => <code>{visible(omitOrigin(url, origin), 300)}</code> },
  {
    title: 'Line',
    kind: 'number',
    note: 'line',
    getCell: ({ line }) => (line === 0 ? '–' : formatNumber(line)),
  },
  {
    title: 'Rule',
    note: 'rule',
    getCell: ({ rule }) => (rule === null ? 'none' : <code>{formatRule({ kind: 'disallow', rule })}</code>),
  },
  {
    title: 'Version',
    note: 'version',
    getClass: () => 'version',
    getCell: ({ version }) => visible(version, 60),
  },
  { title: 'Read before', note: 'read before', getCell: ({ read }) => READ_LABELS[read] },
];

/** Shows the violations, the first ones first; nothing without them. */
export function ViolationTable({
  violations,
  classes,
  origin,
}: Pick<ReportCrawler, 'violations' | 'classes'> & { readonly origin: string | null }): JSX.Element | null {
  const { shown, more } = useMore(violations.length);
  const total = classes.violation;
  if (total === 0) return null;
  return (
    <div class="part-of-crawler">
      <h4>{formatCount(total, 'violation')}</h4>
      {violations.length < total && (
        <p class="aside">
          {violations.length === 0
            ? 'This file would be too large with examples of them.'
            : `The first ${formatNumber(Math.ceil(violations.length / 2))} and the last ${formatNumber(Math.floor(violations.length / 2))} are listed.`}
        </p>
      )}
      {shown > 0 && (
        <DataTable
          class="stacked violations"
          rows={violations.slice(0, shown)}
          columns={listColumns(origin)}
        />
      )}
      {more}
    </div>
  );
}
