// Shares of weights: how much of the tokens, traffic or other weights of sites is blocked, beside the share of the sites.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import {
  type Base,
  findAxisEnd,
  getBlocked,
  getWeightShare,
  orderAgents,
  toFraction,
} from '../data/shares.ts';
import { createWeightTable } from '../data/tables.ts';
import { ShareAxis } from '../parts/axis.tsx';
import { SiteNumber } from '../parts/examples.tsx';
import { Section, type SectionProps } from '../parts/section.tsx';
import { BASE_LABELS, formatAgent, formatPercent, formatPercentNumber } from '../text.ts';

type Weight = CensusReportData['weights'][number];

export function WeightSection({ data, view: { base } }: SectionProps): JSX.Element {
  const order = orderAgents(data.crawls.at(-1)?.access ?? [], base);
  const [first = 0] = order;
  const [weight] = data.weights;
  const sites = getBlocked(weight?.access[first] ?? [], base);
  return (
    <Section
      name="weights"
      finding={
        weight !== undefined && (
          <>
            Of the {BASE_LABELS[base]} and a weight, {formatPercent(sites)} block{' '}
            <b>{formatAgent(data, first)}</b>. They have{' '}
            <b>{formatFraction(getWeightShare(weight.access[first] ?? [], base))}</b> of the{' '}
            {visible(weight.name, 60)} of these sites.
          </>
        )
      }
    >
      {data.weights.map((each) => (
        <WeightChart key={each.name} {...{ data, base, order }} weight={each} />
      ))}
    </Section>
  );
}

function formatFraction(fraction: number): string {
  return `${formatPercentNumber(fraction)} %`;
}

interface WeightChartProps {
  readonly data: CensusReportData;
  readonly weight: Weight;
  readonly base: Base;
  readonly order: readonly number[];
}

/** Two points for each agent: the share of sites, and that of the weight. */
function WeightChart({ data, weight, base, order }: WeightChartProps): JSX.Element {
  const name = visible(weight.name, 60);
  const rows = order.map((agent) => ({
    agent,
    sites: getBlocked(weight.access[agent] ?? [], base),
    share: getWeightShare(weight.access[agent] ?? [], base),
  }));
  // The same for all agents.
  const total = rows[0]?.sites.total ?? 0;
  const most = findAxisEnd(rows.map(({ sites, share }) => Math.max(toFraction(sites), share)));
  return (
    <Chart
      title={`Blocked share of sites and of ${name}, in % of ${formatNumber(total)} ${BASE_LABELS[base]} and a weight`}
      table={() => createWeightTable(data)}
    >
      <p class="aside">
        <span class="point-key sites">sites</span> <span class="point-key weight">{name}</span>
      </p>
      <DataTable
        class="bars dumbbells"
        rows={rows}
        getKey={({ agent }) => agent}
        columns={[
          { title: 'Agent', kind: 'row', getCell: ({ agent }) => formatAgent(data, agent) },
          {
            title: `${name} %`,
            kind: 'number',
            getClass: () => 'percent',
            getCell: ({ share }) => formatPercentNumber(share),
          },
          {
            title: 'Shares',
            kind: 'wide',
            axis: <ShareAxis most={most} />,
            getCell: ({ sites, share }) => (
              <Dumbbell sites={toFraction(sites) / most} weight={share / most} />
            ),
          },
          {
            title: 'Sites %',
            kind: 'number',
            note: 'sites %',
            getCell: ({ sites }) => formatPercentNumber(toFraction(sites)),
          },
          {
            title: 'Sites',
            kind: 'number',
            note: 'sites',
            getCell: ({ agent, sites }) => (
              <SiteNumber
                label={`${formatAgent(data, agent)}, blocked, the sites with the most ${name}`}
                sites={sites.sites}
              />
            ),
          },
        ]}
      />
      <p class="aside">
        {weight.missing > 0 &&
          `${formatFraction(weight.missing / (weight.total + weight.missing))} of the ${name} in the file belong to hosts without a capture: the census says nothing about them.`}
      </p>
    </Chart>
  );
}

function Dumbbell({ sites, weight }: { readonly sites: number; readonly weight: number }): JSX.Element {
  const place = (share: number): string => `${2 + 95 * share}%`;
  return (
    <svg class="dumbbell" width="100%" height="16" aria-hidden="true">
      <line class="grid" x1="0" x2="100%" y1="8" y2="8" />
      <line class="between" x1={place(sites)} x2={place(weight)} y1="8" y2="8" />
      <circle class="point sites" cx={place(sites)} cy="8" r="4.5" />
      <circle class="point weight" cx={place(weight)} cy="8" r="5.5" />
    </svg>
  );
}
