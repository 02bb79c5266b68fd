// Over time: the share of sites that block each agent, by crawl. No line bridges a break.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { type ChartPoint, SmallChart } from '../../shared/charts/small-chart.tsx';
import { Select } from '../../shared/fields/select.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { createSeries, findScale, placeCrawls, type SeriesPoint, splitAtBreaks } from '../data/series.ts';
import { type Base, NO_SHARE, type Share, toFraction } from '../data/shares.ts';
import { createTimeTable } from '../data/tables.ts';
import { Section, type SectionProps } from '../parts/section.tsx';
import { TimeTable } from '../parts/time-table.tsx';
import {
  BASE_LABELS,
  formatAgent,
  formatChange,
  formatCrawl,
  formatDay,
  formatPercent,
  formatTick,
} from '../text.ts';

export function TimeSection({ data, view, onChange }: SectionProps): JSX.Element {
  const { sites, base } = view;
  const series = data.agents.map((_, agent) => createSeries(data, agent, { base, sites }));
  const order = series
    .map((_, agent) => agent)
    .sort((a, b) => getLastShare(series[b]) - getLastShare(series[a]) || a - b);
  const most = findScale(series.flat());
  const places = placeCrawls(data.crawls);
  const [from, to] = [formatCrawl(data, 0), formatCrawl(data, data.crawls.length - 1)];
  const ends = [data.crawls[0], data.crawls.at(-1)].map((crawl) =>
    crawl === undefined ? '' : formatDay(crawl),
  );
  return (
    <Section name="time" finding={<Finding {...{ data, base, sites, series }} />}>
      <Chart
        title={`Sites that block an agent, ${from} to ${to}, in % of ${BASE_LABELS[base]}`}
        table={() => createTimeTable(data)}
        controls={
          data.panel !== null && (
            <Select
              label="Sites"
              value={sites}
              choices={[
                ['all', 'all of each crawl'],
                ['panel', `the ${formatNumber(data.panel.sites)} with a known policy in all crawls`],
              ]}
              onChoose={(chosen) => onChange({ sites: chosen })}
            />
          )
        }
      >
        <p class="aside">
          <span class="line-key blocked">blocked</span> <span class="line-key named">of these, by name</span>{' '}
          All charts have the same scale.
        </p>
        <ul class="multiples">
          {order.map((agent) => {
            const points = series[agent] ?? [];
            const name = formatAgent(data, agent);
            return (
              <li key={data.agents[agent]?.name}>
                <p class="multiple-title">
                  <b>{name}</b> <span>{formatPercent(points.at(-1)?.blocked ?? NO_SHARE)}</span>
                </p>
                <SmallChart
                  label={`${name}: ${describeSeries(data, points)}`}
                  lines={[
                    { name: 'blocked', parts: split(data, points, ({ blocked }) => blocked) },
                    { name: 'named', parts: split(data, points, ({ named }) => named) },
                  ]}
                  {...{ places, most, ends, formatTick }}
                  breaks={listBreaks(data)}
                  titles={points.map(
                    ({ crawl, blocked }) => `${formatCrawl(data, crawl)}: ${formatPercent(blocked)}`,
                  )}
                />
              </li>
            );
          })}
        </ul>
        <BreakNotes data={data} />
        <details>
          <summary>As a table, with examples</summary>
          <TimeTable {...{ data, series, order }} />
        </details>
      </Chart>
    </Section>
  );
}

function getLastShare(points: readonly SeriesPoint[] | undefined): number {
  return toFraction(points?.at(-1)?.blocked ?? NO_SHARE);
}

function split(
  data: CensusReportData,
  points: readonly SeriesPoint[],
  get: (point: SeriesPoint) => Share,
): (readonly ChartPoint[])[] {
  return splitAtBreaks(points, data).map((part) =>
    // A crawl without sites has no share.
    part
      .filter((point) => get(point).total > 0)
      .map((point) => ({ index: point.crawl, value: toFraction(get(point)) })),
  );
}

/** The crawls that begin after a break, in order: their places are the numbers of the notes. */
function listBreaks({ breaks }: CensusReportData): number[] {
  return [...new Set(breaks.map(({ before }) => before))].sort((a, b) => a - b);
}

function describeSeries(data: CensusReportData, points: readonly SeriesPoint[]): string {
  return points
    .map(({ crawl, blocked }) => `${formatCrawl(data, crawl)} ${formatPercent(blocked)}`)
    .join(', ');
}

interface FindingProps {
  readonly data: CensusReportData;
  readonly base: Base;
  readonly sites: 'all' | 'panel';
  /** By agent. */
  readonly series: readonly (readonly SeriesPoint[])[];
}

/** The largest change in the chart. */
function Finding({ data, base, sites, series }: FindingProps): JSX.Element | null {
  const changes = series.map((points, agent) => ({
    agent,
    first: points[0]?.blocked ?? NO_SHARE,
    last: points.at(-1)?.blocked ?? NO_SHARE,
  }));
  const getSize = ({ first, last }: (typeof changes)[number]): number =>
    Math.abs(toFraction(last) - toFraction(first));
  const [largest] = changes.sort((a, b) => getSize(b) - getSize(a));
  if (largest === undefined) return null;
  const { agent, first, last } = largest;
  return (
    <>
      {sites === 'panel'
        ? `Of the ${formatNumber(data.panel?.sites ?? 0)} sites with a known policy in all crawls`
        : 'Of the sites of each crawl'}
      {base === 'files' && ' that have a robots.txt file'}, the share that blocks{' '}
      <b>{formatAgent(data, agent)}</b> changed most: from {formatPercent(first)} to{' '}
      <b>{formatPercent(last)}</b> ({formatChange(first, last)}).
    </>
  );
}

function BreakNotes({ data }: { readonly data: CensusReportData }): JSX.Element | null {
  const crawls = listBreaks(data);
  if (crawls.length === 0) return null;
  return (
    <ol class="break-notes aside">
      {crawls.map((crawl) => (
        <li key={crawl}>
          Between {formatCrawl(data, crawl - 1)} and {formatCrawl(data, crawl)}:{' '}
          {data.breaks
            .filter(({ before }) => before === crawl)
            .map(({ text }) => visible(text))
            .join(' ')}
        </li>
      ))}
    </ol>
  );
}
