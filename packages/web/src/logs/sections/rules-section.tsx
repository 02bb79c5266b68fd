// The rules of robots.txt: which crawlers' requests each met, and which met none.
import type { ReportLog, ReportRule } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { BarLine } from '../../shared/charts/charts.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatNumber, formatOmitted } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { createRuleTable, createUnusedTable } from '../data/tables.ts';
import type { SectionProps } from '../parts/props.ts';
import { Section } from '../parts/section.tsx';
import { formatRule, formatSite } from '../text.ts';

/** Crawlers that a row names. */
const MAX_NAMED = 4;

type UnusedRule = ReportLog['unusedRules'][number];

export function RulesSection({ data, crawlers, onShow }: SectionProps): JSX.Element {
  const { log } = data;
  const names = new Set(crawlers.map(({ crawler }) => crawler));
  const isFiltered = names.size < data.crawlers.length;
  const rules = isFiltered
    ? log.rules.filter((rule) => rule.crawlers.some(({ crawler }) => names.has(crawler)))
    : log.rules;
  return (
    <Section
      name="rules"
      finding={
        <>
          <b>{formatCount(log.ruleCount, 'rule')}</b> decided about requests.{' '}
          {log.unusedCount === 0
            ? 'Each rule of the newest robots.txt met a request.'
            : `${formatCount(log.unusedCount, 'rule')} of the newest robots.txt met none.`}
        </>
      }
    >
      {rules.length > 0 && (
        <Chart title="Rules that decided about requests" table={() => createRuleTable(rules)}>
          <UsedRules {...{ rules, log, names, onShow }} />
          {log.ruleCount > log.rules.length && (
            <p class="aside">{formatOmitted(log.ruleCount - log.rules.length, 'rule')}</p>
          )}
        </Chart>
      )}
      {rules.length === 0 && isFiltered && log.rules.length > 0 && (
        <p>No rule decided about a request of these crawlers.</p>
      )}
      {log.unusedRules.length > 0 && (
        <Chart
          title="Rules of the newest robots.txt that no request met"
          table={() => createUnusedTable(log.unusedRules)}
        >
          <UnusedRules rules={log.unusedRules} hasSites={log.sites.length > 1} />
          {log.unusedCount > log.unusedRules.length && (
            <p class="aside">{formatOmitted(log.unusedCount - log.unusedRules.length, 'rule')}</p>
          )}
        </Chart>
      )}
    </Section>
  );
}

/** The columns of all rules: the rule, its line, its version, and its site if there are several. */
function listColumns(hasSites: boolean): readonly Column<UnusedRule>[] {
  const site: Column<UnusedRule> = {
    title: 'Site',
    note: 'site',
    getCell: ({ site: origin }) => formatSite(origin),
  };
  return [
    { title: 'Rule', kind: 'row', getCell: (rule) => <code>{formatRule(rule)}</code> },
    { title: 'Line', kind: 'number', note: 'line', getCell: ({ line }) => formatNumber(line) },
    {
      title: 'Version',
      note: 'version',
      getClass: () => 'version',
      getCell: ({ version }) => visible(version, 60),
    },
    ...(hasSites ? [site] : []),
  ];
}

interface UsedProps extends Pick<SectionProps, 'onShow'> {
  readonly rules: readonly ReportRule[];
  readonly log: ReportLog;
  /** The crawlers that the filter finds. */
  readonly names: ReadonlySet<string>;
}

function UsedRules({ rules, log, names, onShow }: UsedProps): JSX.Element {
  const { shown, more } = useMore(rules.length);
  const most = rules.reduce((max, { requests }) => Math.max(max, requests), 1);
  return (
    <>
      <DataTable<ReportRule>
        class="stacked rules"
        rows={rules.slice(0, shown)}
        columns={[
          ...listColumns(log.sites.length > 1),
          {
            title: 'Requests',
            kind: 'number',
            note: 'requests',
            getCell: ({ requests }) => formatNumber(requests),
          },
          {
            title: 'Share',
            kind: 'chart',
            getCell: ({ kind, requests }) => <BarLine parts={[{ name: kind, fraction: requests / most }]} />,
          },
          {
            title: 'Crawlers',
            note: 'crawlers',
            getCell: (rule) => <RuleCrawlers {...{ rule, names, onShow }} />,
          },
        ]}
      />
      {more}
    </>
  );
}

function RuleCrawlers({
  rule: { crawlers, crawlerCount },
  names,
  onShow,
}: Omit<UsedProps, 'rules' | 'log'> & { readonly rule: ReportRule }): JSX.Element {
  const found = crawlers.filter(({ crawler }) => names.has(crawler)).slice(0, MAX_NAMED);
  const others = crawlerCount - found.length;
  return (
    <>
      {found.map(({ crawler, requests }, index) => (
        <span key={crawler}>
          {index > 0 && ', '}
          <button type="button" class="link" onClick={() => onShow(crawler)}>
            {visible(crawler, 60)}
          </button>{' '}
          {formatNumber(requests)}
        </span>
      ))}
      {others > 0 && ` and ${formatCount(others, 'other')}`}
    </>
  );
}

function UnusedRules({
  rules,
  hasSites,
}: {
  readonly rules: readonly UnusedRule[];
  readonly hasSites: boolean;
}): JSX.Element {
  const { shown, more } = useMore(rules.length);
  return (
    <>
      <DataTable class="stacked rules" rows={rules.slice(0, shown)} columns={listColumns(hasSites)} />
      {more}
    </>
  );
}
