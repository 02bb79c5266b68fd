// The crawlers that files name in user-agent lines, also those that the census did not judge.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { BarLine } from '../../shared/charts.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { findAxisEnd, type Share, toFraction } from '../data/shares.ts';
import { createNamedTable } from '../data/tables.ts';
import { ShareAxis } from '../parts/axis.tsx';
import { SiteNumber } from '../parts/examples.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Chart, Section } from '../parts/section.tsx';
import { BASE_LABELS, formatDay, formatPercent, formatPercentNumber } from '../text.ts';

type NamedToken = CensusReportData['named'][number];

export function NamedSection({ data }: SectionProps): JSX.Element {
  const total = data.declarations.sites;
  const [most] = data.named.filter(({ token }) => token !== '*');
  return (
    <Section
      name="named"
      finding={
        most !== undefined && (
          <>
            The crawler named most is <b>{visible(most.token, 80)}</b>: in the files of{' '}
            <b>{formatPercent({ sites: most.sites, total })}</b> of {formatNumber(total)} {BASE_LABELS.files}.
            A named crawler is not always blocked.
          </>
        )
      }
    >
      <Chart
        title={`Sites whose file names a crawler, in % of ${BASE_LABELS.files}`}
        table={() => createNamedTable(data)}
      >
        <NamedTable data={data} />
      </Chart>
    </Section>
  );
}

function formatToken({ token, isJudged }: NamedToken): string {
  if (token === '*') return '* (all crawlers)';
  return `${visible(token, 80)}${isJudged ? '' : ' (not judged)'}`;
}

/** The tokens with their operators, and when each appears first. */
function NamedTable({ data }: { readonly data: CensusReportData }): JSX.Element {
  const { named, crawls, declarations } = data;
  const toShare = ({ sites }: NamedToken): Share => ({ sites, total: declarations.sites });
  const most = findAxisEnd(named.map((each) => toFraction(toShare(each))));
  const firstSeen: Column<NamedToken> = {
    title: 'First named',
    note: 'first named',
    getCell: ({ firstCrawl }) => formatFirst(data, firstCrawl),
  };
  return (
    <DataTable
      class="bars blocked"
      rows={named}
      getKey={({ token }) => token}
      columns={[
        {
          title: 'User-agent',
          kind: 'row',
          getCell: (each) => (
            <>
              {formatToken(each)}
              {each.operator !== null && <small>{visible(each.operator, 60)}</small>}
            </>
          ),
        },
        {
          title: 'Named %',
          kind: 'number',
          getClass: () => 'percent',
          getCell: (each) => formatPercentNumber(toFraction(toShare(each))),
        },
        {
          title: 'Share',
          kind: 'wide',
          axis: <ShareAxis most={most} />,
          getCell: (each) => (
            <BarLine parts={[{ name: 'named', fraction: toFraction(toShare(each)) / most }]} />
          ),
        },
        {
          title: 'Sites',
          kind: 'number',
          note: 'sites',
          getCell: (each) => <SiteNumber label={`User-agent: ${formatToken(each)}`} sites={each.sites} />,
        },
        ...(crawls.length > 1 ? [firstSeen] : []),
      ]}
    />
  );
}

/** The first crawl of all can be later than the first appearance. */
function formatFirst(data: CensusReportData, crawl: number): string {
  const found = data.crawls[crawl];
  const day = found === undefined ? '' : formatDay(found);
  return crawl === 0 ? `${day} or before` : day;
}
