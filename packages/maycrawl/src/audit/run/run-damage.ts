// Finds damage in the file of a run. Opening a run checks what could keep a report from ending. All other checks read the whole run, and
// follow only after an error.
import { openSqlite, type SqliteDatabase } from '@maycrawl/client/internal';
import { parseUrl } from '@maycrawl/core/url';
import { unpackLinks } from './records/link-list.ts';
import { isPageList } from './records/page-lists.ts';
import { STATES } from './records/url.ts';
import { RUN_TABLES } from './run-schema.ts';
import { isStoredPolicy } from './tables/robots-table.ts';

/**
 * Checks the tables of a run.
 *
 * @returns the problem; `undefined` if there is none.
 */
export async function findWrongTable(database: SqliteDatabase): Promise<string | undefined> {
  // Views and triggers could run endless queries.
  if (database.get("select 1 from sqlite_master where type in ('view', 'trigger')") !== undefined)
    return 'it has a view or a trigger';
  const pattern = await openSqlite(':memory:');
  try {
    pattern.exec(RUN_TABLES);
    for (const { name: table } of pattern.all<{ name: string }>(
      "select name from sqlite_master where type = 'table'",
    )) {
      const isTable =
        "select 1 from sqlite_master where name = ? and type = 'table' and sql like 'create table%'";
      if (database.get(isTable, table) === undefined) return `it has no table "${table}"`;
      const columns = new Set(listColumns(database, table));
      const missing = listColumns(pattern, table).find((name) => !columns.has(name));
      if (missing !== undefined) return `its table "${table}" has no column "${missing}"`;
    }
  } finally {
    pattern.close();
  }
  // Larger keys are not exact in JavaScript: iterating over the URLs would not end.
  const wrong = database.get('select 1 from urls where key < 0 or key > ? limit 1', Number.MAX_SAFE_INTEGER);
  return wrong === undefined ? undefined : 'a URL has an invalid key';
}

function listColumns(database: SqliteDatabase, table: string): string[] {
  return database
    .all<{ name: string }>('select name from pragma_table_info(?)', table)
    .map(({ name }) => name);
}

/** Checks all rows of a run. @returns the damage; `undefined` if there is none. */
export function findDamage(database: SqliteDatabase): string | undefined {
  const check = database.get<{ quick_check: string }>('PRAGMA quick_check(1)');
  if (check?.quick_check !== 'ok') return 'the database is malformed';
  for (const [table, text, isRight] of ROWS)
    for (const row of database.iterate<Row>(text))
      if (!isRight(row)) return `the table "${table}" has an invalid row`;
  return undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The tables with data from sites: the query, and the check of each row. */
const ROWS: readonly (readonly [table: string, text: string, isRight: (row: Row) => boolean])[] = [
  ['run', 'select value from run', ({ value }) => parseJson(value) !== undefined],
  [
    'urls',
    'select url, host, state from urls',
    ({ url, host, state }) => isUrl(url) && typeof host === 'string' && STATES[state as number] !== undefined,
  ],
  [
    'pages',
    'select status, facts, links, texts, resources from pages',
    ({ status, facts, links: list, texts, resources }) => {
      const links = countLinks(list);
      return (
        isFacts(status, parseJson(facts)) &&
        links >= 0 &&
        isPageList(texts, 'texts', links) &&
        isPageList(resources, 'resources', links)
      );
    },
  ],
  [
    'robots',
    'select origin, policy, body from robots',
    ({ origin, policy, body }) =>
      isUrl(origin) && isStoredPolicy(policy) && (body === null || body instanceof Uint8Array),
  ],
  ['declarations', 'select text from declarations', ({ text }) => isDeclaration(parseJson(text))],
  [
    'preferences',
    'select text from preferences',
    ({ text }) => areObjects([parseJson(text)], ['purposes', 'licenses', 'conflicts']),
  ],
];

const DECLARATION_LISTS: readonly string[] = ['headers', 'metas', 'licenses', 'inlineRsl'];

function isDeclaration(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([name, list]) =>
    name === 'isTruncated' ? list === true : DECLARATION_LISTS.includes(name) && Array.isArray(list),
  );
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && parseUrl(value) !== undefined;
}

function isFacts(status: unknown, facts: unknown): boolean {
  if (typeof facts !== 'object' || facts === null) return false;
  if (status === null) return 'code' in facts && 'detail' in facts;
  const { robots, canonicals, alternates, seriesLinks } = facts as Record<string, unknown>;
  return (
    Number.isInteger(status) &&
    areObjects(robots, ['directives']) &&
    areObjects(canonicals, ['href', 'from']) &&
    areObjects(alternates, ['hreflang']) &&
    areObjects(seriesLinks, ['url'])
  );
}

function areObjects(values: unknown, names: readonly string[]): boolean {
  return (
    Array.isArray(values) &&
    values.every(
      (value) =>
        typeof value === 'object' && value !== null && names.every((name) => Object.hasOwn(value, name)),
    )
  );
}

/** Returns the number of links of a list; -1 if the value is not a list. */
function countLinks(value: unknown): number {
  if (!(value instanceof Uint8Array)) return -1;
  try {
    return unpackLinks(value).length;
  } catch {
    return -1;
  }
}

/** Returns `undefined` if the value is not JSON. */
function parseJson(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}
