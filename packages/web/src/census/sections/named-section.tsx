// The crawlers that files name in user-agent lines, also those that the census did not judge.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { createNamedTable } from '../data/tables.ts';
import { CountBars } from '../parts/count-bars.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Chart, Section } from '../parts/section.tsx';
import { BASE_LABELS, formatPercent } from '../text.ts';

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
        <CountBars
          head="User-agent"
          total={total}
          rows={data.named.map((each) => ({
            label: formatToken(each),
            sites: each.sites,
            description: describeToken(data, each),
          }))}
        />
      </Chart>
    </Section>
  );
}

function formatToken({ token, isJudged }: NamedToken): string {
  if (token === '*') return '* (all crawlers)';
  return `${visible(token, 80)}${isJudged ? '' : ' (not judged)'}`;
}

function describeToken(data: CensusReportData, { operator, firstCrawl }: NamedToken): string {
  const parts = [
    operator === null ? '' : visible(operator, 60),
    data.crawls.length > 1 ? `first named in ${visible(data.crawls[firstCrawl]?.name ?? '', 60)}` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
