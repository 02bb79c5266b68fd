// What files declare about the use of content, and statements that contradict each other or the rules.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { createUseTable } from '../data/tables.ts';
import { CountBars, type CountRow } from '../parts/count-bars.tsx';
import { Section, type SectionProps } from '../parts/section.tsx';
import { BASE_LABELS, formatPercent } from '../text.ts';

export function UseSection({ data }: SectionProps): JSX.Element {
  const { sites, declaring, formats, uses, contradictions } = data.declarations;
  return (
    <Section
      name="use"
      finding={
        <>
          <b>{formatPercent({ sites: declaring, total: sites })}</b> of {formatNumber(sites)}{' '}
          {BASE_LABELS.files} declare how their content may be used. A declaration does not change what a
          crawler may fetch.
        </>
      }
    >
      <div class="cards">
        <Counts
          data={data}
          title="Formats"
          rows={formats.map((each) => ({
            label: visible(each.format, 60),
            sites: each.sites,
          }))}
        />
        <Counts
          data={data}
          title="Declared uses"
          rows={uses.map(({ agent, purpose, value, sites: found }) => {
            const label = `${purpose}: ${value}${agent === null ? '' : ` for ${data.agents[agent]?.name ?? ''}`}`;
            return { label: visible(label, 160), sites: found };
          })}
        />
        {contradictions.length > 0 && (
          <Counts
            data={data}
            title="Contradictions"
            rows={contradictions.map(({ title, sites: found }) => ({
              label: visible(title, 200),
              sites: found,
            }))}
          />
        )}
      </div>
    </Section>
  );
}

interface CountsProps {
  readonly data: CensusReportData;
  readonly title: string;
  readonly rows: readonly CountRow[];
}

function Counts({ data, title, rows }: CountsProps): JSX.Element {
  return (
    <Chart title={`${title}, in % of ${BASE_LABELS.files}`} table={() => createUseTable(data)}>
      <CountBars head={title} total={data.declarations.sites} rows={rows} />
    </Chart>
  );
}
