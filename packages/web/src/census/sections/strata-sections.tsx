// Who is blocked in parts of the sites: by rank, by top-level domain, and by the tables of the user.
import type { CensusReportData } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { getBlocked, MIN_SITES, orderAgents, type Share } from '../data/shares.ts';
import { createCategoryTable, createStrataTable } from '../data/tables.ts';
import { HeatTable } from '../parts/heat-table.tsx';
import { AgentSelect, Section, type SectionProps } from '../parts/section.tsx';
import { createStrataShares, StrataTable, type StratumShare } from '../parts/strata-table.tsx';
import { BASE_LABELS, formatAgent, formatPercent, formatRank } from '../text.ts';

export function RankSection({ data, view: { base } }: SectionProps): JSX.Element {
  const order = orderAgents(data.crawls.at(-1)?.access ?? [], base);
  const source = data.sources.find(({ option }) => option === '--ranks');
  const [first = 0] = order;
  const shares = data.ranks.map(({ access }) => getBlocked(access[first] ?? [], base));
  const ranked = data.ranks.filter(({ name, sites }) => name !== 'unranked' && sites > 0);
  const [top, rest] = [ranked[0], ranked.at(-1)];
  const describe = (stratum: NonNullable<typeof top>): JSX.Element => {
    const share = shares[data.ranks.indexOf(stratum)] as Share;
    return (
      <>
        <b>{formatPercent(share)}</b> of the {formatNumber(share.total)} sites with ranks{' '}
        {formatRank(stratum.name)}
      </>
    );
  };
  return (
    <Section
      name="ranks"
      finding={
        top !== undefined &&
        rest !== undefined &&
        top !== rest && (
          <>
            <b>{formatAgent(data, first)}</b> is blocked by {describe(top)}, and by {describe(rest)}.
          </>
        )
      }
    >
      <Chart
        title={`Sites that block an agent, by rank, in % of ${BASE_LABELS[base]}`}
        table={() => createStrataTable(data, 'ranks')}
      >
        <HeatTable
          label="Shares by rank"
          head="Agent"
          columns={data.ranks.map(({ name, sites }) => ({
            name: formatRank(name),
            note: `${formatNumber(sites)} sites`,
          }))}
          rows={order.map((agent) => {
            const name = formatAgent(data, agent);
            return {
              name,
              cells: data.ranks.map((stratum) => ({
                share: getBlocked(stratum.access[agent] ?? [], base),
                label: `${name}, blocked, ranks ${formatRank(stratum.name)}`,
              })),
            };
          })}
        />
        {source !== undefined && <p class="aside">Ranks: {visible(source.file, 120)}.</p>}
      </Chart>
    </Section>
  );
}

export function TldSection(props: SectionProps): JSX.Element {
  const { data, view } = props;
  const { base, agent } = view;
  const name = formatAgent(data, agent);
  const rows = createStrataShares(
    data.tlds.map((stratum) => ({ stratum, name: formatTld(stratum.name) })),
    agent,
    base,
  );
  const named = rows.filter(({ stratum }) => !['other', 'none'].includes(stratum.name));
  return (
    <Section
      name="tlds"
      finding={
        <Extremes rows={named} agent={name}>
          Of the top-level domains with at least {formatNumber(MIN_SITES)} sites,{' '}
        </Extremes>
      }
    >
      <Chart
        title={`Sites that block ${name}, by top-level domain, in % of ${BASE_LABELS[base]}`}
        table={() => createStrataTable(data, 'tlds')}
        controls={<AgentSelect {...props} />}
      >
        <StrataTable head="Domain" agent={name} rows={rows} />
      </Chart>
    </Section>
  );
}

function formatTld(name: string): string {
  if (name === 'other') return 'all others';
  return name === 'none' ? 'IP addresses' : `.${visible(name, 60)}`;
}

type Category = CensusReportData['categories'][number];

export function CategorySection(props: SectionProps): JSX.Element {
  const { data, view } = props;
  const name = formatAgent(data, view.agent);
  const charts = data.categories.map((category) => ({
    category,
    rows: createStrataShares(listStrata(category), view.agent, view.base),
  }));
  const valued = charts[0]?.rows.filter(({ stratum }) => stratum.name !== '') ?? [];
  return (
    <Section name="categories" finding={<Extremes rows={valued} agent={name} />}>
      {charts.map(({ category, rows }) => (
        <Chart
          key={`${category.table} ${category.column}`}
          title={`Sites that block ${name}, by ${visible(category.column, 60)}, in % of ${BASE_LABELS[view.base]}`}
          table={() => createCategoryTable(data)}
          controls={<AgentSelect {...props} />}
        >
          <StrataTable head={visible(category.column, 60)} agent={name} rows={rows} />
          <p class="aside">
            {visible(category.table, 60)} has a value for {formatNumber(category.sites)} of{' '}
            {formatNumber(data.crawls.at(-1)?.sites ?? 0)} sites. A site with several values counts in each.
          </p>
        </Chart>
      ))}
    </Section>
  );
}

function listStrata({
  values,
  others,
  missing,
}: Category): { stratum: Category['values'][number]; name: string }[] {
  return [
    ...values.map((stratum) => ({ stratum, name: visible(stratum.name, 60) })),
    ...(others === null ? [] : [{ stratum: others, name: '(other values)' }]),
    ...(missing === null ? [] : [{ stratum: missing, name: '(not in the table)' }]),
  ];
}

interface ExtremesProps {
  readonly rows: readonly StratumShare[];
  readonly agent: string;
  /** The beginning of the sentence. */
  readonly children?: ComponentChildren;
}

/** The parts with the largest and the smallest share. */
function Extremes({ rows, agent, children }: ExtremesProps): JSX.Element | null {
  const large = rows.filter(({ share }) => share.total >= MIN_SITES);
  const [first, last] = [large[0], large.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return (
    <>
      {children}
      <b>{first.name}</b> blocks {agent} most often ({formatPercent(first.share)} of{' '}
      {formatNumber(first.share.total)} sites), and <b>{last.name}</b> least often (
      {formatPercent(last.share)} of {formatNumber(last.share.total)}).
    </>
  );
}
