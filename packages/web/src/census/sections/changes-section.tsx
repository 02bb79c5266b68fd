// What changed between two crawls, and when sites first blocked an agent.
import { BLOCKED, type CensusReportData, SITE_ACCESSES, type Transition } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { BarLine } from '../../shared/charts/charts.tsx';
import { Select } from '../../shared/fields/select.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { DataTable, NumberHead } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { addCounts, NO_SITES, UNKNOWN } from '../data/shares.ts';
import { createFirstBlockedTable, createTransitionTable } from '../data/tables.ts';
import { Axis } from '../parts/axis.tsx';
import { SiteNumber } from '../parts/examples.tsx';
import { HeatTable } from '../parts/heat-table.tsx';
import { AgentSelect, Section, type SectionProps } from '../parts/section.tsx';
import { ACCESS_LABELS, formatAgent, formatCrawl } from '../text.ts';

type TransitionCells = Transition['agents'][number];

export function ChangesSection(props: SectionProps): JSX.Element | null {
  const { data, view, onChange } = props;
  const transition = data.transitions[view.pair];
  if (transition === undefined) return null;
  const [from, to] = [formatCrawl(data, transition.from), formatCrawl(data, transition.to)];
  const agent = formatAgent(data, view.agent);
  const cells = transition.agents[view.agent] ?? [];
  const [blocked, unblocked] = [countChanges(cells, true), countChanges(cells, false)];
  return (
    <Section
      name="changes"
      finding={
        <>
          From {from} to {to}, <b>{formatNumber(blocked.count)}</b> of {formatNumber(transition.sites)} sites
          in both began to block {agent}, and <b>{formatNumber(unblocked.count)}</b> ceased to.
        </>
      }
    >
      <div class="bar controls">
        {data.transitions.length > 1 && (
          <Select
            label="Crawls"
            value={view.pair}
            choices={data.transitions.map((each, index) => [
              index,
              `${formatCrawl(data, each.from)} to ${formatCrawl(data, each.to)}`,
            ])}
            onChoose={(pair) => onChange({ pair })}
          />
        )}
        <AgentSelect {...props} />
      </div>
      {isBroken(data, transition) && (
        <p class="notice">There is a break between these crawls: a change need not be one of the sites.</p>
      )}
      <Chart
        title={`Sites by what ${agent} may fetch, ${from} to ${to}`}
        table={() => createTransitionTable(data)}
      >
        <TransitionTable cells={cells} {...{ from, to, agent }} />
        <p class="aside">Bold: sites that began or ceased to block the agent.</p>
      </Chart>
      <Chart title={`Changes by agent, ${from} to ${to}`} table={() => createTransitionTable(data)}>
        <ChangeTable data={data} transition={transition} />
      </Chart>
      <FirstBlocked data={data} />
    </Section>
  );
}

/** Whether a change makes a site block the agent, or cease to. Sites whose policy is unknown in one of the crawls do not count. */
function isChange({ before, after }: TransitionCells[number], isBlocked: boolean): boolean {
  if (UNKNOWN.includes(before) || UNKNOWN.includes(after)) return false;
  return BLOCKED.includes(after) === isBlocked && BLOCKED.includes(before) !== isBlocked;
}

function countChanges(cells: TransitionCells, isBlocked: boolean): ReturnType<typeof addCounts> {
  return addCounts(cells.filter((cell) => isChange(cell, isBlocked)).map(({ sites }) => sites));
}

function isBroken({ breaks }: CensusReportData, { from, to }: Transition): boolean {
  return breaks.some(({ before }) => before > from && before <= to);
}

interface TransitionTableProps {
  readonly cells: TransitionCells;
  readonly from: string;
  readonly to: string;
  readonly agent: string;
}

function TransitionTable({ cells, from, to, agent }: TransitionTableProps): JSX.Element {
  const rows = SITE_ACCESSES.filter((access) => cells.some(({ before }) => before === access));
  const columns = SITE_ACCESSES.filter((access) => cells.some(({ after }) => after === access));
  return (
    <ScrollRegion label="Transitions">
      <table class="transitions">
        <thead>
          <tr>
            <th rowSpan={2} scope="col">
              In {from}
            </th>
            <th colSpan={columns.length} scope="colgroup">
              In {to}
            </th>
          </tr>
          <tr>
            {columns.map((after) => (
              <NumberHead key={after}>{ACCESS_LABELS[after]}</NumberHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((before) => (
            <tr key={before}>
              <th scope="row">{ACCESS_LABELS[before]}</th>
              {columns.map((after) => {
                const cell = cells.find((each) => each.before === before && each.after === after);
                const isMarked = cell !== undefined && (isChange(cell, true) || isChange(cell, false));
                return (
                  <td
                    key={after}
                    class={`number${before === after ? ' same' : ''}${isMarked ? ' marked' : ''}`}
                  >
                    <SiteNumber
                      label={`${agent}: ${ACCESS_LABELS[before]} in ${from}, ${ACCESS_LABELS[after]} in ${to}`}
                      sites={cell?.sites ?? NO_SITES}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The sites that began and ceased to block each agent: bars to both sides. */
function ChangeTable({
  data,
  transition,
}: {
  readonly data: CensusReportData;
  readonly transition: Transition;
}): JSX.Element {
  const rows = transition.agents.map((cells, agent) => ({
    name: formatAgent(data, agent),
    blocked: countChanges(cells, true),
    unblocked: countChanges(cells, false),
  }));
  const most = Math.max(1, ...rows.flatMap(({ blocked, unblocked }) => [blocked.count, unblocked.count]));
  return (
    <DataTable
      class="both-sides"
      rows={rows.sort((a, b) => b.blocked.count - a.blocked.count)}
      getKey={({ name }) => name}
      columns={[
        { title: 'Agent', kind: 'row', getCell: ({ name }) => name },
        {
          title: 'ceased to block',
          kind: 'number',
          getCell: ({ name, unblocked }) => (
            <SiteNumber label={`${name}, ceased to block`} sites={unblocked} />
          ),
        },
        {
          title: 'left',
          kind: 'half',
          axis: <Axis labels={[formatNumber(most), '0']} />,
          getCell: ({ unblocked }) => (
            <BarLine isMirrored parts={[{ name: 'unblocked', fraction: unblocked.count / most }]} />
          ),
        },
        {
          title: 'right',
          kind: 'half',
          axis: <Axis labels={['', `${formatNumber(most)} sites`]} />,
          getCell: ({ blocked }) => (
            <BarLine parts={[{ name: 'newly-blocked', fraction: blocked.count / most }]} />
          ),
        },
        {
          title: 'began to block',
          kind: 'number',
          getCell: ({ name, blocked }) => <SiteNumber label={`${name}, began to block`} sites={blocked} />,
        },
      ]}
    />
  );
}

/** When sites of the panel first blocked each agent. */
function FirstBlocked({ data }: { readonly data: CensusReportData }): JSX.Element | null {
  const { panel, crawls, agents } = data;
  if (panel === null || panel.sites === 0) return null;
  const names = [...crawls.map(({ name }) => visible(name, 60)), 'never'];
  return (
    <Chart
      title={`First crawl in which a site blocks the agent, in % of the ${formatNumber(panel.sites)} sites with a known policy in all crawls`}
      table={() => createFirstBlockedTable(data)}
    >
      <HeatTable
        label="First crawl in which a site blocks the agent"
        head="Agent"
        columns={names
          .slice(0, -1)
          .map((name, index) => (index === 0 ? { name, note: 'or before' } : { name }))}
        rows={agents.map(({ name }, agent) => ({
          name: visible(name, 60),
          cells: names.slice(0, -1).map((crawl, index) => {
            const found = panel.firstBlocked[agent]?.find((each) => each.crawl === index);
            const share = { sites: found?.sites ?? NO_SITES, total: panel.sites };
            return { share, label: `${visible(name, 60)}, first blocked in ${crawl}` };
          }),
        }))}
      />
    </Chart>
  );
}
