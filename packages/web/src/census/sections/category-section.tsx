// By the tables of the user: who is blocked by sites of each category, for one agent.
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { MIN_SITES } from '../data/shares.ts';
import { createCategoryTable } from '../data/tables.ts';
import { AgentSelect } from '../parts/agent-select.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Chart, Section } from '../parts/section.tsx';
import { createStrataShares, StrataTable, type StratumShare } from '../parts/strata-table.tsx';
import { BASE_LABELS, formatAgent, formatPercent } from '../text.ts';

type Category = CensusReportData['categories'][number];

export function CategorySection(props: SectionProps): JSX.Element {
  const { data, view } = props;
  const name = formatAgent(data, view.agent);
  const charts = data.categories.map((category) => ({
    category,
    rows: createStrataShares(listStrata(category), view.agent, view.base),
  }));
  return (
    <Section name="categories" finding={<Finding rows={charts[0]?.rows ?? []} agent={name} />}>
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

/** The values with the largest and the smallest share. */
function Finding({
  rows,
  agent,
}: {
  readonly rows: readonly StratumShare[];
  readonly agent: string;
}): JSX.Element | null {
  const large = rows.filter(({ stratum, share }) => share.total >= MIN_SITES && stratum.name !== '');
  const [first, last] = [large[0], large.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return (
    <>
      <b>{first.name}</b> blocks {agent} most often ({formatPercent(first.share)} of{' '}
      {formatNumber(first.share.total)} sites), and <b>{last.name}</b> least often (
      {formatPercent(last.share)} of {formatNumber(last.share.total)}).
    </>
  );
}
