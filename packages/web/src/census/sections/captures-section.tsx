// What was captured: outcomes and statuses of the last crawl, and the sizes of files.
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { createOutcomeTable, createSizeTable, createStatusTable } from '../data/tables.ts';
import { CountBars } from '../parts/count-bars.tsx';
import { Section, type SectionProps } from '../parts/section.tsx';
import { formatSize } from '../text.ts';

export function CapturesSection({ data }: SectionProps): JSX.Element | null {
  const crawl = data.crawls.at(-1);
  if (crawl === undefined) return null;
  const { classes, quantiles } = data.sizes;
  const files = classes.reduce((sum, { sites }) => sum + sites.count, 0);
  const median = quantiles.find(({ share }) => share === 0.5);
  const first = classes.findIndex(({ sites }) => sites.count > 0);
  const last = classes.findLastIndex(({ sites }) => sites.count > 0);
  return (
    <Section
      name="captures"
      finding={
        <>
          {formatNumber(crawl.captures)} captures of {formatNumber(crawl.sites)} sites have{' '}
          {formatNumber(crawl.files)} distinct files.
          {crawl.withoutHost > 0 &&
            ` ${formatCount(crawl.withoutHost, 'capture')} without a valid host are of no site.`}
          {median !== undefined &&
            ` Half of the sites with a file have one of at most ${formatCount(median.bytes, 'byte')}.`}
        </>
      }
    >
      <div class="cards">
        <Chart title="Sites by outcome" table={() => createOutcomeTable(data)}>
          <CountBars
            head="Outcome"
            total={crawl.sites}
            rows={crawl.outcomes
              .filter(({ captures, sites }) => captures + sites.count > 0)
              .map(({ outcome, captures, sites }) => ({
                label: OUTCOME_LABELS[outcome],
                sites,
                description: formatCount(captures, 'capture'),
              }))}
          />
        </Chart>
        <Chart title="Sites by HTTP status" table={() => createStatusTable(data)}>
          <CountBars
            head="Status"
            total={crawl.sites}
            rows={crawl.statuses.map(({ status, sites }) => ({
              label: status === null ? 'unknown' : String(status),
              sites,
            }))}
          />
        </Chart>
      </div>
      <Chart
        title={`Sizes of the files of ${formatNumber(files)} sites, in bytes`}
        table={() => createSizeTable(data)}
      >
        <CountBars
          head="Bytes"
          total={files}
          rows={classes.slice(first, last + 1).map(({ from, sites }, index) => ({
            label: formatSize(from, classes[first + index + 1]?.from),
            sites,
          }))}
        />
        {quantiles.length > 0 && (
          <p class="aside">
            {quantiles
              .map(
                ({ share, bytes }) => `${100 * share} % of the sites: at most ${formatCount(bytes, 'byte')}`,
              )
              .join('; ')}
            .
          </p>
        )}
      </Chart>
    </Section>
  );
}

const OUTCOME_LABELS = {
  rules: 'a robots.txt',
  empty: 'an empty file',
  page: 'an HTML page',
  truncated: 'a truncated body',
  redirect: 'a redirect whose target is unknown',
  absent: 'no robots.txt (4xx)',
  unreachable: 'unreachable (5xx, 429, no response)',
  'not-modified': 'not modified, without the body',
  duplicate: 'the body is elsewhere',
} as const;
