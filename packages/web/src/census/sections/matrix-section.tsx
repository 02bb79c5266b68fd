// Agents that are blocked together: of the sites that block one agent, the share that blocks each other one.
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { formatNumber } from '../../shared/text.ts';
import { orderAgents } from '../data/shares.ts';
import { createMatrixTable, getBoth } from '../data/tables.ts';
import { HeatTable } from '../parts/heat-table.tsx';
import { Section, type SectionProps } from '../parts/section.tsx';
import { formatAgent } from '../text.ts';

export function MatrixSection({ data, view: { base } }: SectionProps): JSX.Element {
  const order = orderAgents(data.crawls.at(-1)?.access ?? [], base);
  return (
    <Section
      name="matrix"
      finding="A row is about the sites that block its agent, by name or with the group for all: the share of them that blocks each other agent."
    >
      <Chart
        title="Sites that also block the agent of the column, in %"
        table={() => createMatrixTable(data)}
      >
        <HeatTable
          isTurned
          label="Agents that are blocked together"
          head="Sites that block"
          most={1}
          columns={order.map((agent) => ({ name: formatAgent(data, agent) }))}
          rows={order.map((one) => {
            const { count } = getBoth(data, one, one);
            return {
              name: formatAgent(data, one),
              note: formatNumber(count),
              cells: order.map((other) =>
                one === other
                  ? null
                  : {
                      share: { sites: getBoth(data, one, other), total: count },
                      label: `Sites that block ${formatAgent(data, one)} and ${formatAgent(data, other)}`,
                    },
              ),
            };
          })}
        />
      </Chart>
    </Section>
  );
}
