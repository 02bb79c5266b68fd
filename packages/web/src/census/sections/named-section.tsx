// The crawlers that files name in user-agent lines, also those that the census did not judge.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import type { Column } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { createNamedTable } from '../data/tables.ts';
import { Section, type SectionProps } from '../parts/section.tsx';
import { ShareTable } from '../parts/share-table.tsx';
import { BASE_LABELS, formatDay, formatPercent } from '../text.ts';

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
  const rows = named.map((each) => {
    const share = { sites: each.sites, total: declarations.sites };
    return {
      ...{ key: each.token, share, parts: [{ name: 'named', share }], firstCrawl: each.firstCrawl },
      name: (
        <>
          {formatToken(each)}
          {each.operator !== null && <small>{visible(each.operator, 60)}</small>}
        </>
      ),
      label: `User-agent: ${formatToken(each)}`,
    };
  });
  const firstSeen: Column<(typeof rows)[number]> = {
    title: 'First named',
    note: 'first named',
    getCell: ({ firstCrawl }) => formatFirst(data, firstCrawl),
  };
  return (
    <ShareTable
      class="blocked"
      head="User-agent"
      verb="Named"
      rows={rows}
      columns={crawls.length > 1 ? [firstSeen] : []}
    />
  );
}

/** The first crawl of all can be later than the first appearance. */
function formatFirst(data: CensusReportData, crawl: number): string {
  const found = data.crawls[crawl];
  const day = found === undefined ? '' : formatDay(found);
  return crawl === 0 ? `${day} or before` : day;
}
