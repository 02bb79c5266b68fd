// Requests and violations of a crawler over time.
import type { LogPeriod, ReportCrawler } from 'maycrawl/api';
import type { JSX } from 'preact';
import { type ChartPoint, SmallChart } from '../../shared/charts/small-chart.tsx';
import { formatCount, formatDate } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });

interface PeriodChartProps {
  readonly crawler: string;
  readonly list: readonly LogPeriod[];
  readonly periods: NonNullable<ReportCrawler['periods']>;
}

/** Shows the chart. The numbers are in its label, and for a pointer. */
export function PeriodChart({ crawler, list, periods }: PeriodChartProps): JSX.Element {
  const { requests, violations } = periods;
  const titles = list.map(
    (period, index) =>
      `${formatPeriod(period)}: ${formatCount(requests[index] ?? 0, 'request')}, ${formatCount(violations[index] ?? 0, 'violation')}`,
  );
  const toPoints = (values: readonly number[]): ChartPoint[] =>
    values.map((value, index) => ({ index, value }));
  const ends = [list[0]?.from, list.at(-1)?.to].map((day) => (day === undefined ? '' : formatDay(day)));
  const [first] = list;
  const isDaily = first?.from === first?.to;
  return (
    <>
      <p class="aside">
        <span class="line-key requests">requests</span>{' '}
        <span class="line-key violations">of these, violations</span> {isDaily ? 'By day' : 'By several days'}
        , in UTC. Spoofed requests are not counted.
      </p>
      <SmallChart
        label={`${visible(crawler, 60)}: ${titles.join('; ')}`}
        lines={[
          { name: 'requests', parts: [toPoints(requests)] },
          { name: 'violations', parts: [toPoints(violations)] },
        ]}
        places={list.map((_, index) => (list.length < 2 ? 0.5 : index / (list.length - 1)))}
        most={findCountEnd(requests)}
        formatTick={(value) => COMPACT.format(value)}
        titles={titles}
        ends={[...new Set(ends)]}
      />
    </>
  );
}

/** The end of an axis of counts: the smallest round number that no count exceeds. Its half is a whole number. */
export function findCountEnd(counts: readonly number[]): number {
  const most = counts.reduce((max, count) => Math.max(max, count), 2);
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((end) => end >= most && end > 1) ?? most;
}

function formatPeriod({ from, to }: LogPeriod): string {
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
}

function formatDay(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? visible(day, 20) : formatDate(time);
}
