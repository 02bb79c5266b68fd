// Groups of agents: the sites that block any of them, and all of them.
import { formatList } from '@maycrawl/core/internal';
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { type Base, countBase, NO_SITES, type Share } from '../data/shares.ts';
import { createGroupTable } from '../data/tables.ts';
import { BASE_LABELS, formatAgent, formatCrawl, formatPercent } from '../text.ts';
import { type ShareRow, ShareTable } from './share-table.tsx';

interface GroupChartProps {
  readonly data: CensusReportData;
  readonly base: Base;
}

/** Shows two rows for each group, about the last crawl, with the share in the first one. */
export function GroupChart({ data, base }: GroupChartProps): JSX.Element {
  const totals = data.crawls.map(({ access }) => countBase(access[0] ?? [], base));
  const last = data.crawls.length - 1;
  const rows = data.groups.flatMap((group) =>
    (['any', 'all'] as const).map((kind): ShareRow => {
      const name = `${kind} of ${visible(group.name, 60)}`;
      const getShare = (crawl: number): Share => ({
        sites: group.crawls[crawl]?.[kind] ?? NO_SITES,
        total: totals[crawl] ?? 0,
      });
      return {
        ...{ key: name, share: getShare(last), label: `${name}, blocked` },
        name: (
          <>
            {name}
            <small>{formatList(group.agents.map((agent) => formatAgent(data, agent)))}</small>
            {last > 0 && (
              <small>
                {formatPercent(getShare(0))} in {formatCrawl(data, 0)}
              </small>
            )}
          </>
        ),
      };
    }),
  );
  return (
    <Chart
      title={`Sites that block a group of agents, in % of ${formatNumber(totals[last] ?? 0)} ${BASE_LABELS[base]}`}
      table={() => createGroupTable(data)}
    >
      <ShareTable class="blocked" head="Group" rows={rows} />
    </Chart>
  );
}
