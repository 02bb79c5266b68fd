// The numbers of lines over time. Each opens its examples.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatNumber, formatSpan } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { SeriesPoint } from '../data/series.ts';
import { NO_SHARE } from '../data/shares.ts';
import { formatAgent, formatCrawl, formatPercent } from '../text.ts';
import { SiteNumber } from './examples.tsx';

interface TimeTableProps {
  readonly data: CensusReportData;
  readonly series: readonly (readonly SeriesPoint[])[];
  /** Indexes of agents. */
  readonly order: readonly number[];
}

/** Shows the table: crawls as columns. */
export function TimeTable({ data, series, order }: TimeTableProps): JSX.Element {
  const totals = series[0]?.map(({ blocked }) => blocked.total) ?? [];
  return (
    <ScrollRegion label="Shares over time, as a table">
      <DataTable
        class="times"
        rows={order}
        getKey={(agent) => agent}
        columns={[
          { title: 'Agent', kind: 'row', getCell: (agent) => formatAgent(data, agent) },
          ...data.crawls.map(
            ({ name, from, to }, crawl): Column<number> => ({
              title: name,
              head: (
                <>
                  {visible(name, 60)}
                  <small>{formatSpan(from, to)}</small>
                  <small>of {formatNumber(totals[crawl] ?? 0)}</small>
                </>
              ),
              kind: 'number',
              getCell: (agent) => {
                const blocked = series[agent]?.[crawl]?.blocked ?? NO_SHARE;
                return (
                  <>
                    <SiteNumber
                      label={`${formatAgent(data, agent)}, blocked in ${formatCrawl(data, crawl)}`}
                      sites={blocked.sites}
                    />
                    <small>{formatPercent(blocked)}</small>
                  </>
                );
              },
            }),
          ),
        ]}
      />
    </ScrollRegion>
  );
}
