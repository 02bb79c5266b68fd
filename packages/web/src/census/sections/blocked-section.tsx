/**
 * Who is blocked: the share of sites that block each agent, by its name or by the group for all.
 *
 * @module
 */
import type { JSX } from 'preact';
import { Key } from '../../shared/charts.tsx';
import { ChartHead, NumberHead } from '../../shared/table/column-head.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { countBase, findLargest, getBlocked, NO_SHARE, orderAgents, toFraction } from '../data/shares.ts';
import { createBlockedTable } from '../data/tables.ts';
import { BarLine } from '../parts/bar-line.tsx';
import { SiteNumber } from '../parts/examples.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Chart, Section } from '../parts/section.tsx';
import { BASE_LABELS, describeShare, formatAgent, formatPercent, formatPercentNumber } from '../text.ts';

/** Shows the section. */
export function BlockedSection({ data, view: { base } }: SectionProps): JSX.Element {
  const access = data.crawls.at(-1)?.access ?? [];
  const order = orderAgents(access, base);
  const total = countBase(access[0] ?? [], base);
  const shares = order.map((agent) => getBlocked(access[agent] ?? [], base));
  const most = findLargest(shares.map(toFraction));
  const [first = 0] = order;
  const name = formatAgent(data, first);
  const named = getBlocked(access[first] ?? [], base, 'name');
  return (
    <Section
      name="blocked"
      title="Who is blocked"
      finding={
        <>
          <b>{name}</b> is blocked by <b>{formatPercent(shares[0] ?? NO_SHARE)}</b> of {formatNumber(total)}{' '}
          {BASE_LABELS[base]}
          {data.agents.length > 1 && `, the most of ${formatNumber(data.agents.length)} agents`}.{' '}
          {formatPercent({ sites: named.sites, total: shares[0]?.sites.count ?? 0 })} of these sites name it;
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
        <table class="bars blocked">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <NumberHead>Blocked %</NumberHead>
              <ChartHead title="Share" isWide />
              <NumberHead>Sites</NumberHead>
              <NumberHead>By name</NumberHead>
              <NumberHead>By *</NumberHead>
            </tr>
          </thead>
          <tbody>
            {order.map((agent, place) => {
              const cells = access[agent] ?? [];
              const share = shares[place] ?? NO_SHARE;
              const { name: full, operator } = data.agents[agent] ?? { name: '', operator: null };
              const label = visible(full, 60);
              const [byName, byAll] = [getBlocked(cells, base, 'name'), getBlocked(cells, base, 'all')];
              return (
                <tr key={full}>
                  <th scope="row">
                    {label}
                    {operator !== null && <small>{visible(operator, 60)}</small>}
                  </th>
                  <td class="number percent">{formatPercentNumber(toFraction(share))}</td>
                  <td class="wide">
                    <BarLine
                      title={describeShare(share, BASE_LABELS[base])}
                      parts={[
                        { name: 'by-name', fraction: toFraction(byName) / most },
                        { name: 'by-all', fraction: toFraction(byAll) / most },
                      ]}
                    />
                  </td>
                  <td class="number" data-label="sites">
                    <SiteNumber label={`${label}, blocked`} sites={share.sites} />
                  </td>
                  <td class="number" data-label="by name">
                    <SiteNumber label={`${label}, blocked by name`} sites={byName.sites} />
                  </td>
                  <td class="number" data-label="by *">
                    <SiteNumber
                      label={`${label}, blocked by the group for all crawlers`}
                      sites={byAll.sites}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Chart>
    </Section>
  );
}
