/**
 * The numbers of lines over time. Each opens its examples.
 *
 * @module
 */
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { NumberHead } from '../../shared/table/column-head.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { SeriesPoint } from '../data/series.ts';
import { formatAgent, formatCrawl, formatPercent, formatSpan } from '../text.ts';
import { SiteNumber } from './examples.tsx';

interface TimeTableProps {
  readonly data: CensusReportData;
  /** By agent. */
  readonly series: readonly (readonly SeriesPoint[])[];
  /** Indexes of agents. */
  readonly order: readonly number[];
}

/** Shows the table: crawls as columns. */
export function TimeTable({ data, series, order }: TimeTableProps): JSX.Element {
  const totals = series[0]?.map(({ blocked }) => blocked.total) ?? [];
  return (
    <ScrollRegion label="Shares over time, as a table">
      <table class="times">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            {data.crawls.map(({ name, from, to }, crawl) => (
              <NumberHead key={name}>
                {visible(name, 60)}
                <small>{formatSpan(from, to)}</small>
                <small>of {formatNumber(totals[crawl] ?? 0)}</small>
              </NumberHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.map((agent) => {
            const name = formatAgent(data, agent);
            return (
              <tr key={data.agents[agent]?.name}>
                <th scope="row">{name}</th>
                {series[agent]?.map(({ crawl, blocked }) => (
                  <td key={crawl} class="number">
                    <SiteNumber
                      label={`${name}, blocked in ${formatCrawl(data, crawl)}`}
                      sites={blocked.sites}
                    />
                    <small>{formatPercent(blocked)}</small>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
