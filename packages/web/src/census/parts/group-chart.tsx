// Groups of agents: the sites that block any of them, and all of them.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { BarLine } from '../../shared/charts.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import {
  type Base,
  countBase,
  findAxisEnd,
  NO_SHARE,
  NO_SITES,
  type Share,
  toFraction,
} from '../data/shares.ts';
import { createGroupTable } from '../data/tables.ts';
import {
  BASE_LABELS,
  formatAgent,
  formatCrawl,
  formatList,
  formatPercent,
  formatPercentNumber,
} from '../text.ts';
import { ShareAxis } from './axis.tsx';
import { SiteNumber } from './examples.tsx';
import { Chart } from './section.tsx';

interface GroupChartProps {
  readonly data: CensusReportData;
  readonly base: Base;
}

/** A number of a group: of the sites that block any agent, or all agents. */
interface GroupRow {
  readonly name: string;
  readonly agents: string;
  /** By crawl. */
  readonly shares: readonly Share[];
}

/** Shows two rows for each group, about the last crawl, with the share in the first one. */
export function GroupChart({ data, base }: GroupChartProps): JSX.Element {
  const totals = data.crawls.map(({ access }) => countBase(access[0] ?? [], base));
  const rows = data.groups.flatMap((group): GroupRow[] =>
    (['any', 'all'] as const).map((kind) => ({
      name: `${kind} of ${visible(group.name, 60)}`,
      agents: formatList(group.agents.map((agent) => formatAgent(data, agent))),
      shares: totals.map((total, crawl) => ({ sites: group.crawls[crawl]?.[kind] ?? NO_SITES, total })),
    })),
  );
  const last = data.crawls.length - 1;
  const getLast = ({ shares }: GroupRow): Share => shares[last] ?? NO_SHARE;
  const most = findAxisEnd(rows.map((row) => toFraction(getLast(row))));
  return (
    <Chart
      title={`Sites that block a group of agents, in % of ${formatNumber(totals[last] ?? 0)} ${BASE_LABELS[base]}`}
      table={() => createGroupTable(data)}
    >
      <DataTable
        class="bars blocked"
        rows={rows}
        getKey={({ name }) => name}
        columns={[
          {
            title: 'Group',
            kind: 'row',
            getCell: ({ name, agents, shares: [first = NO_SHARE] }) => (
              <>
                {name}
                <small>{agents}</small>
                {last > 0 && (
                  <small>
                    {formatPercent(first)} in {formatCrawl(data, 0)}
                  </small>
                )}
              </>
            ),
          },
          {
            title: 'Blocked %',
            kind: 'number',
            getClass: () => 'percent',
            getCell: (row) => formatPercentNumber(toFraction(getLast(row))),
          },
          {
            title: 'Share',
            kind: 'wide',
            axis: <ShareAxis most={most} />,
            getCell: (row) => (
              <BarLine parts={[{ name: 'by-name', fraction: toFraction(getLast(row)) / most }]} />
            ),
          },
          {
            title: 'Sites',
            kind: 'number',
            note: 'sites',
            getCell: (row) => <SiteNumber label={`${row.name}, blocked`} sites={getLast(row).sites} />,
          },
        ]}
      />
    </Chart>
  );
}
