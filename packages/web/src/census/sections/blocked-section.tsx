// Who is blocked: the share of sites that block each agent, by its name or by the group for all.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { Key } from '../../shared/charts/charts.tsx';
import type { Column } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { type BlockedBy, countBase, getBlocked, orderAgents, type Share } from '../data/shares.ts';
import { createBlockedTable } from '../data/tables.ts';
import { SiteNumber } from '../parts/examples.tsx';
import { GroupChart } from '../parts/group-chart.tsx';
import { Section, type SectionProps } from '../parts/section.tsx';
import { ShareTable } from '../parts/share-table.tsx';
import { BASE_LABELS, describeShare, formatAgent, formatPercent } from '../text.ts';

export function BlockedSection({ data, view: { base } }: SectionProps): JSX.Element {
  const access = data.crawls.at(-1)?.access ?? [];
  const order = orderAgents(access, base);
  const total = countBase(access[0] ?? [], base);
  const getShare = (agent: number, by: BlockedBy = 'any'): Share => getBlocked(access[agent] ?? [], base, by);
  const [first = 0] = order;
  const name = formatAgent(data, first);
  const named = getShare(first, 'name');
  const rows = order.map((agent) => ({
    ...{ key: agent, agent, share: getShare(agent) },
    name: <AgentName agent={data.agents[agent]} />,
    label: `${formatAgent(data, agent)}, blocked`,
    title: describeShare(getShare(agent), BASE_LABELS[base]),
    parts: [
      { name: 'by-name', share: getShare(agent, 'name') },
      { name: 'by-all', share: getShare(agent, 'all') },
    ],
  }));
  const toColumn = (title: string, by: BlockedBy, counted: string): Column<(typeof rows)[number]> => ({
    title,
    kind: 'number',
    note: title.toLowerCase(),
    getCell: ({ agent }) => (
      <SiteNumber label={`${formatAgent(data, agent)}, ${counted}`} sites={getShare(agent, by).sites} />
    ),
  });
  return (
    <Section
      name="blocked"
      finding={
        <>
          <b>{name}</b> is blocked by <b>{formatPercent(getShare(first))}</b> of {formatNumber(total)}{' '}
          {BASE_LABELS[base]}
          {data.agents.length > 1 && `, the most of ${formatNumber(data.agents.length)} agents`}.{' '}
          {formatPercent({ sites: named.sites, total: getShare(first).sites.count })} of these sites name it;
          the others block it with their group for all crawlers.
        </>
      }
    >
      <Chart
        title={`Sites that block an agent, in % of ${formatNumber(total)} ${BASE_LABELS[base]}`}
        table={() => createBlockedTable(data)}
      >
        <p class="key aside">
          <Key name="by-name" label="the file names the agent" />
          <Key name="by-all" label="blocked by the group for all crawlers (*)" />
        </p>
        <ShareTable
          class="blocked"
          head="Agent"
          rows={rows}
          columns={[
            toColumn('By name', 'name', 'blocked by name'),
            toColumn('By *', 'all', 'blocked by the group for all crawlers'),
          ]}
        />
      </Chart>
      {data.groups.length > 0 && <GroupChart {...{ data, base }} />}
    </Section>
  );
}

function AgentName({
  agent,
}: {
  readonly agent: CensusReportData['agents'][number] | undefined;
}): JSX.Element {
  const { name, operator } = agent ?? { name: '', operator: null };
  return (
    <>
      {visible(name, 60)}
      {operator !== null && <small>{visible(operator, 60)}</small>}
    </>
  );
}
