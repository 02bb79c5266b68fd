// The details of a crawler, below its row.
import { PURPOSE_MEANINGS } from '@maycrawl/core/crawlers';
import { formatDuration, formatSize, type ReportCrawler, type ReportLog } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { Bars } from '../../shared/charts/charts.tsx';
import { Fact } from '../../shared/fact.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { describeRule, formatCounts, formatTime, omitOrigin } from '../text.ts';
import { listParts } from './class-stack.tsx';
import { IDENTITIES, IdentityBadge } from './identity-badge.tsx';
import { PeriodChart } from './period-chart.tsx';
import { ViolationTable } from './violation-table.tsx';

interface DetailsProps {
  readonly crawler: ReportCrawler;
  readonly log: Pick<ReportLog, 'periods' | 'sites'>;
}

export function CrawlerDetails({ crawler, log: { periods, sites } }: DetailsProps): JSX.Element {
  const origin = sites.length === 1 ? (sites[0] ?? null) : null;
  const parts = listParts(crawler.classes);
  return (
    <div class="crawler-details">
      <div class="cards">
        <Facts crawler={crawler} />
        <div>
          {crawler.periods !== null && (
            <PeriodChart crawler={crawler.crawler} list={periods} periods={crawler.periods} />
          )}
          {parts.length > 0 && <Bars head="Class" unit="requests" rows={parts} digits={1} />}
        </div>
      </div>
      <ViolationTable {...crawler} origin={origin} />
      <SpoofedNetworks {...crawler} />
      <AmbiguousUrls ambiguous={crawler.ambiguous} origin={origin} />
    </div>
  );
}

const OBEYS = {
  yes: 'obeys robots.txt, as its operator documents',
  no: 'ignores robots.txt, as its operator documents',
  unknown: 'it is not documented whether it obeys robots.txt',
} as const;

function Facts({ crawler }: { readonly crawler: ReportCrawler }): JSX.Element {
  const { operator, purposes, robotsTxt, identity, worstRule, statuses, statusCount, pace } = crawler;
  return (
    <dl class="facts">
      <Fact name="Operator">
        {operator === null ? 'not in the catalogue of crawlers' : visible(operator, 100)}
      </Fact>
      {purposes.length > 0 && (
        <Fact name="Purposes">{purposes.map((each) => PURPOSE_MEANINGS[each] ?? each).join(', ')}</Fact>
      )}
      <Fact name="Promise">{OBEYS[robotsTxt.obeys]}</Fact>
      <Fact name="Identity">
        {IDENTITIES.filter((each) => identity[each] > 0).map((each) => (
          <div key={each}>
            <IdentityBadge identity={each} /> {formatCount(identity[each], 'request')}
          </div>
        ))}
      </Fact>
      <Fact name="robots.txt">{describeFetches(robotsTxt)}</Fact>
      {worstRule !== null && (
        <Fact name="Worst rule">
          <code>{describeRule(worstRule)}</code>
          <div class="aside">
            version {visible(worstRule.version, 60)}, {formatCount(worstRule.requests, 'request')}
          </div>
        </Fact>
      )}
      <Fact name="Statuses">{formatCounts(statuses, statusCount) || 'all requests are spoofed'}</Fact>
      {pace !== null && (
        <Fact name="Pace">
          {pace.percentile5 < pace.crawlDelay ? (
            <b class="problem">faster than its crawl-delay</b>
          ) : (
            'keeps its crawl-delay'
          )}
          <div class="aside">
            crawl-delay {formatSeconds(pace.crawlDelay)}, least interval {formatSeconds(pace.least)}; 5 % of
            the intervals are at most {formatSeconds(pace.percentile5)}
          </div>
        </Fact>
      )}
    </dl>
  );
}

function describeFetches({
  fetches,
  statuses,
  last,
  medianInterval,
}: ReportCrawler['robotsTxt']): ComponentChildren {
  if (fetches === 0 || last === null) return 'never fetched in this log';
  return (
    <>
      {formatCount(fetches, 'fetch', 'fetches')} ({formatCounts(statuses)})
      <div class="aside">
        last {formatTime(last)} UTC
        {medianInterval !== null && `; median interval ${formatDuration(medianInterval * 1_000)}`}
      </div>
    </>
  );
}

function formatSeconds(seconds: number): string {
  return `${formatNumber(Number(seconds.toFixed(seconds < 10 ? 1 : 0)))} s`;
}

function SpoofedNetworks({ crawler, spoofed, networkCount }: ReportCrawler): JSX.Element | null {
  const { requests, bytes, networks } = spoofed;
  const { shown, more } = useMore(networks.length);
  if (requests === 0) return null;
  return (
    <div class="part-of-crawler">
      <h4>{formatCount(requests, 'spoofed request')}</h4>
      <p class="aside">
        With the name {visible(crawler, 60)}, but not of its operator: {formatSize(bytes)}. They are in no
        class.
      </p>
      {networks.length > 0 && (
        <Bars
          head="Network"
          unit="requests"
          total={requests}
          rows={networks.slice(0, shown).map(({ network, requests: count }, index) => ({
            // A name is also a class of the style: networks are not.
            ...{ name: `spoofed row-${index}`, label: visible(network, 60), count },
          }))}
        />
      )}
      {more}
      {networkCount > networks.length && (
        <p class="aside">{formatCount(networkCount - networks.length, 'other network')} not listed</p>
      )}
    </div>
  );
}

function AmbiguousUrls({
  ambiguous,
  origin,
}: Pick<ReportCrawler, 'ambiguous'> & { readonly origin: string | null }): JSX.Element | null {
  const { shown, more } = useMore(ambiguous.length);
  if (ambiguous.length === 0) return null;
  return (
    <div class="part-of-crawler">
      <h4>Ambiguous URLs</h4>
      <p class="aside">
        The verdict depends on how the URL is written: as logged, or normalised. The milder verdict counts. At
        most the first and the last ones are listed.
      </p>
      <DataTable
        class="stacked"
        rows={ambiguous.slice(0, shown)}
        columns={[
          { title: 'Time (UTC)', kind: 'row', getCell: ({ time }) => formatTime(time) },
          {
            title: 'URL',
            note: 'URL',
            getCell: ({ url }) => <code>{visible(omitOrigin(url, origin), 300)}</code>,
          },
        ]}
      />
      {more}
    </div>
  );
}
