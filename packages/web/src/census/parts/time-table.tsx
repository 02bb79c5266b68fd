/**
 * The numbers of lines over time. Each opens its examples.
 *
 * @module
 */
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { SeriesPoint } from '../data/series.ts';
import { formatPercent, formatSpan } from '../text.ts';
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
              <th key={name} scope="col" class="number">
                {visible(name, 60)}
                <small>{formatSpan(from, to)}</small>
                <small>of {formatNumber(totals[crawl] ?? 0)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.map((agent) => {
            const name = visible(data.agents[agent]?.name ?? '', 60);
            return (
              <tr key={data.agents[agent]?.name}>
                <th scope="row">{name}</th>
                {series[agent]?.map(({ crawl, blocked }) => (
                  <td key={crawl} class="number">
                    <SiteNumber
                      label={`${name}, blocked in ${visible(data.crawls[crawl]?.name ?? '', 60)}`}
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
