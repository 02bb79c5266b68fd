// Who is blocked in parts of the sites: by rank, and by top-level domain.
import type { JSX } from 'preact';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { getBlocked, MIN_SITES, orderAgents, type Share } from '../data/shares.ts';
import { createStrataTable } from '../data/tables.ts';
import { AgentSelect } from '../parts/agent-select.tsx';
import { HeatTable } from '../parts/heat-table.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Chart, Section } from '../parts/section.tsx';
import { createStrataShares, StrataTable } from '../parts/strata-table.tsx';
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
  const large = rows.filter(
    ({ stratum, share }) => share.total >= MIN_SITES && !['other', 'none'].includes(stratum.name),
  );
  const [first, last] = [large[0], large.at(-1)];
  return (
    <Section
      name="tlds"
      finding={
        first !== undefined &&
        last !== undefined &&
        first !== last && (
          <>
            Of the top-level domains with at least {formatNumber(MIN_SITES)} sites,{' '}
            <b>{formatTld(first.stratum.name)}</b> blocks {name} most often ({formatPercent(first.share)} of{' '}
            {formatNumber(first.share.total)} sites), and <b>{formatTld(last.stratum.name)}</b> least often (
            {formatPercent(last.share)} of {formatNumber(last.share.total)}).
          </>
        )
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
