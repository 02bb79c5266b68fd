// The numbers of each chart, as the CSV of the chart has them: counts, and what they are shares of.
import type { AccessCell, CensusReportData, CsvCell, SiteCount } from 'maycrawl/api';
import type { ChartTable } from '../../shared/charts/chart.tsx';
import { countBase, getBlocked, NO_SITES } from './shares.ts';

type Rows = (readonly CsvCell[])[];

const BLOCKED_COLUMNS = ['sites_known', 'sites_with_file', 'blocked', 'blocked_by_name', 'blocked_by_all'];

/** Sites of both bases, and those that block. */
function createBlockedCells(cells: readonly AccessCell[]): CsvCell[] {
  const count = (by: 'any' | 'name' | 'all'): number => getBlocked(cells, 'known', by).sites.count;
  return [countBase(cells, 'known'), countBase(cells, 'files'), count('any'), count('name'), count('all')];
}

function toDate(time: number | null): CsvCell {
  return time === null ? null : new Date(time).toISOString();
}

function listAgents({ agents }: CensusReportData, create: (name: string, index: number) => Rows): Rows {
  return agents.flatMap(({ name }, index) => create(name, index));
}

/** Who is blocked, in the last crawl. */
export function createBlockedTable(data: CensusReportData): ChartTable {
  const access = data.crawls.at(-1)?.access ?? [];
  const rows = listAgents(data, (name, agent) => [[name, ...createBlockedCells(access[agent] ?? [])]]);
  return { name: 'blocked', columns: ['agent', ...BLOCKED_COLUMNS], rows };
}

/** What agents may fetch, in the last crawl. */
export function createAccessTable(data: CensusReportData): ChartTable {
  const access = data.crawls.at(-1)?.access ?? [];
  const rows = listAgents(data, (name, agent) =>
    (access[agent] ?? []).map((cell) => [name, cell.access, cell.group, cell.sites.count]),
  );
  return { name: 'access', columns: ['agent', 'access', 'group', 'sites'], rows };
}

/** Shares over time, of all sites and of the panel. */
export function createTimeTable(data: CensusReportData): ChartTable {
  const rows = data.crawls.flatMap(({ name: crawl, from, access }, index) => {
    const breaks = data.breaks.filter(({ before }) => before === index).map(({ text }) => text);
    return listAgents(data, (name, agent) => {
      const panel = data.panel?.access[index]?.[agent];
      const before = [crawl, toDate(from), name];
      return [
        [...before, 'all', ...createBlockedCells(access[agent] ?? []), breaks.join(' ')],
        ...(panel === undefined
          ? []
          : [[...before, 'panel', ...createBlockedCells(panel), breaks.join(' ')]]),
      ];
    });
  });
  return {
    name: 'time',
    columns: ['crawl', 'from', 'agent', 'sites', ...BLOCKED_COLUMNS, 'break_before'],
    rows,
  };
}

/** Transitions of all pairs of crawls. */
export function createTransitionTable(data: CensusReportData): ChartTable {
  const rows = data.transitions.flatMap(({ from, to, sites, agents }) =>
    listAgents(data, (name, agent) =>
      (agents[agent] ?? []).map((cell) => [
        ...[data.crawls[from]?.name ?? null, data.crawls[to]?.name ?? null, sites],
        ...[name, cell.before, cell.after, cell.sites.count],
      ]),
    ),
  );
  const columns = ['from', 'to', 'sites_in_both', 'agent', 'before', 'after', 'sites'];
  return { name: 'transitions', columns, rows };
}

/** When sites of the panel first blocked an agent. */
export function createFirstBlockedTable(data: CensusReportData): ChartTable {
  const { panel, crawls } = data;
  const rows = listAgents(data, (name, agent) =>
    (panel?.firstBlocked[agent] ?? []).map(({ crawl, sites }) => [
      ...[name, crawl === null ? 'never' : (crawls[crawl]?.name ?? null), sites.count, panel?.sites ?? null],
    ]),
  );
  return { name: 'first-blocked', columns: ['agent', 'crawl', 'sites', 'panel_sites'], rows };
}

/** Ranks or top-level domains. */
export function createStrataTable(data: CensusReportData, kind: 'ranks' | 'tlds'): ChartTable {
  const rows = data[kind].flatMap((stratum) =>
    listAgents(data, (name, agent) => [
      [stratum.name, stratum.sites, name, ...createBlockedCells(stratum.access[agent] ?? [])],
    ]),
  );
  return {
    name: kind,
    columns: [kind === 'ranks' ? 'ranks' : 'tld', 'sites', 'agent', ...BLOCKED_COLUMNS],
    rows,
  };
}

/** Columns of the tables of the user. */
export function createCategoryTable(data: CensusReportData): ChartTable {
  const rows = data.categories.flatMap(({ table, column, values, others, missing }) => {
    const strata = [
      ...values.map((stratum) => ({ kind: 'value', stratum })),
      ...(others === null ? [] : [{ kind: 'others', stratum: others }]),
      ...(missing === null ? [] : [{ kind: 'not-in-table', stratum: missing }]),
    ];
    return strata.flatMap(({ kind, stratum: { name: value, sites, access } }) =>
      listAgents(data, (name, agent) => [
        [table, column, kind, value, sites, name, ...createBlockedCells(access[agent] ?? [])],
      ]),
    );
  });
  const columns = ['table', 'column', 'kind', 'value', 'sites', 'agent', ...BLOCKED_COLUMNS];
  return { name: 'categories', columns, rows };
}

export function createGroupTable({ groups, crawls, agents }: CensusReportData): ChartTable {
  const rows = groups.flatMap((group) =>
    group.crawls.map(({ any, all }, crawl) => {
      const cells = crawls[crawl]?.access[0] ?? [];
      const names = group.agents.map((agent) => agents[agent]?.name ?? '').join(' ');
      return [
        ...[
          crawls[crawl]?.name ?? null,
          group.name,
          names,
          countBase(cells, 'known'),
          countBase(cells, 'files'),
        ],
        ...[any.count, all.count],
      ];
    }),
  );
  const columns = [
    'crawl',
    'group',
    'agents',
    'sites_known',
    'sites_with_file',
    'any_blocked',
    'all_blocked',
  ];
  return { name: 'groups', columns, rows };
}

export function createWeightTable(data: CensusReportData): ChartTable {
  const rows = data.weights.flatMap(({ name: weight, total, missing, access }) =>
    listAgents(data, (name, agent) =>
      (access[agent] ?? []).map((cell) => [
        ...[weight, name, cell.access, cell.group, cell.sites.count],
        ...[cell.weight, total, missing],
      ]),
    ),
  );
  const columns = ['weight', 'agent', 'access', 'group', 'sites', 'sum', 'total', 'without_capture'];
  return { name: 'weights', columns, rows };
}

/** Agents that are blocked together. */
export function createMatrixTable(data: CensusReportData): ChartTable {
  const { both, sites } = data.matrix;
  const rows = listAgents(data, (name, one) =>
    data.agents.map((other, place) => [
      ...[name, other.name, getBoth(data, one, place).count, both[one]?.[0]?.count ?? 0, sites],
    ]),
  );
  return {
    name: 'matrix',
    columns: ['agent', 'other', 'both_blocked', 'agent_blocked', 'sites_known'],
    rows,
  };
}

/** The sites that block both of two agents. */
export function getBoth({ matrix }: CensusReportData, one: number, other: number): SiteCount {
  const [first, second] = one < other ? [one, other] : [other, one];
  return matrix.both[first]?.[second - first] ?? NO_SITES;
}

export function createUseTable({ declarations, agents }: CensusReportData): ChartTable {
  const columns = ['kind', 'name', 'agent', 'value', 'sites', 'sites_with_file'];
  const { sites, declaring, formats, uses, contradictions } = declarations;
  const rows: Rows = [
    ['any', 'any', null, null, declaring.count, sites],
    ...formats.map((each) => ['format', each.format, null, null, each.sites.count, sites]),
    ...uses.map(({ agent, purpose, value, sites: found }) => [
      ...['use', purpose, agent === null ? null : (agents[agent]?.name ?? null), value, found.count, sites],
    ]),
    ...contradictions.map(({ code, sites: found }) => [
      'contradiction',
      code,
      null,
      null,
      found.count,
      sites,
    ]),
  ];
  return { name: 'use', columns, rows };
}

/** The tokens that files name. */
export function createNamedTable({ named, crawls, declarations }: CensusReportData): ChartTable {
  const rows = named.map(({ token, operator, isJudged, firstCrawl, sites }) => [
    ...[
      token,
      operator,
      isJudged,
      crawls[firstCrawl]?.name ?? null,
      toDate(crawls[firstCrawl]?.from ?? null),
    ],
    ...[sites.count, declarations.sites],
  ]);
  return {
    name: 'named',
    columns: ['token', 'operator', 'is_agent', 'first_crawl', 'first_crawl_from', 'sites', 'sites_with_file'],
    rows,
  };
}

/** Software, with the sites that block each agent. */
export function createSoftwareTable(data: CensusReportData): ChartTable {
  const rows = data.generators.flatMap(({ name, sites, files, blocked }) =>
    listAgents(data, (agent, index) => [[name, sites.count, files, agent, blocked[index]?.count ?? 0]]),
  );
  return { name: 'software', columns: ['software', 'sites', 'distinct_files', 'agent', 'blocked'], rows };
}

/** The most frequent files. */
export function createCommonFilesTable({ commonFiles }: CensusReportData): ChartTable {
  const rows = commonFiles.map(({ digest, bytes, rules, generator, sites }) => [
    ...[digest, sites.count, bytes, rules, generator],
  ]);
  return { name: 'common-files', columns: ['sha256', 'sites', 'bytes', 'rules', 'software'], rows };
}

export function createReadingTable(data: CensusReportData): ChartTable {
  const rows = data.readings.flatMap(({ name: reading, agents }) =>
    listAgents(data, (name, agent) =>
      (agents[agent] ?? []).map(({ proved, read, sites }) => [
        reading,
        name,
        proved,
        read ?? 'error',
        sites.count,
      ]),
    ),
  );
  return { name: 'readings', columns: ['reading', 'agent', 'proved', 'read', 'sites'], rows };
}

export function createOutcomeTable({ crawls }: CensusReportData): ChartTable {
  const rows = crawls.flatMap(({ name, sites: total, outcomes }) =>
    outcomes.map(({ outcome, captures, sites }) => [name, outcome, captures, sites.count, total]),
  );
  return { name: 'outcomes', columns: ['crawl', 'outcome', 'captures', 'sites', 'all_sites'], rows };
}

export function createStatusTable({ crawls }: CensusReportData): ChartTable {
  const rows = crawls.flatMap(({ name, sites: total, statuses }) =>
    statuses.map(({ status, sites }) => [name, status, sites.count, total]),
  );
  return { name: 'statuses', columns: ['crawl', 'status', 'sites', 'all_sites'], rows };
}

export function createSizeTable({ sizes }: CensusReportData): ChartTable {
  const rows = sizes.classes.map(({ from, files, sites }) => [from, sites.count, files]);
  return { name: 'sizes', columns: ['bytes_from', 'sites', 'distinct_files'], rows };
}
