/**
 * What is wrong with the file of a run that was damaged, or made by another program. A few things are looked at whenever a run is opened,
 * because they could keep a report from ending; all others only after something failed, because that reads the whole run.
 *
 * @module
 */
import { openSqlite, type SqliteDatabase } from '@maycrawl/client/database';
import { parseUrl } from '@maycrawl/core/url';
import { parseStoredFacts } from '../former-names.ts';
import { unpackLinks } from '../link-list.ts';
import { SQLITE_RUN_TABLES } from '../run-schema.ts';
import { STATES } from '../run-store.ts';
import { isStoredPolicy } from '../stored-policy.ts';

/**
 * Looks at the tables of a run.
 *
 * @returns what is wrong; `undefined` if nothing is.
 */
export async function findWrongTable(database: SqliteDatabase): Promise<string | undefined> {
  // They could do anything, without end, when the run is read.
  if (database.get("select 1 from sqlite_master where type in ('view', 'trigger')") !== undefined)
    return 'it has a view or a trigger';
  const pattern = await openSqlite(':memory:');
  try {
    pattern.exec(SQLITE_RUN_TABLES);
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
  // Larger keys are not exact in JavaScript: going through the URLs would not end.
  const wrong = database.get('select 1 from urls where key < 0 or key > ? limit 1', Number.MAX_SAFE_INTEGER);
  return wrong === undefined ? undefined : 'a URL has a key that is none';
}

function listColumns(database: SqliteDatabase, table: string): string[] {
  return database
    .all<{ name: string }>('select name from pragma_table_info(?)', table)
    .map(({ name }) => name);
}

/** Looks for damage in all rows of a run. @returns what is damaged; `undefined` if nothing is found. */
export function findDamage(database: SqliteDatabase): string | undefined {
  const check = database.get<{ quick_check: string }>('PRAGMA quick_check(1)');
  if (check?.quick_check !== 'ok') return 'the database is malformed';
  for (const [table, text, isRight] of ROWS)
    for (const row of database.iterate<Row>(text))
      if (!isRight(row)) return `a row of the table "${table}" is no such row`;
  return undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The tables that a site's responses fill: how they are read, and what each row must be. */
const ROWS: readonly (readonly [table: string, text: string, isRight: (row: Row) => boolean])[] = [
  ['run', 'select value from run', ({ value }) => parseJson(value) !== undefined],
  [
    'urls',
    'select url, host, state from urls',
    ({ url, host, state }) => isUrl(url) && typeof host === 'string' && STATES[state as number] !== undefined,
  ],
  [
    'pages',
    'select status, facts, leads from pages',
    ({ status, facts, leads }) => isFacts(status, parseJson(facts, parseStoredFacts)) && isLinkList(leads),
  ],
  [
    'robots',
    'select origin, used, body from robots',
    ({ origin, used, body }) =>
      isUrl(origin) && isStoredPolicy(used) && (body === null || body instanceof Uint8Array),
  ],
];

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

function isLinkList(value: unknown): boolean {
  if (!(value instanceof Uint8Array)) return false;
  try {
    unpackLinks(value);
    return true;
  } catch {
    return false;
  }
}

/** @returns `undefined` for what is no JSON. */
function parseJson(value: unknown, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(String(value));
  } catch {
    return undefined;
  }
}
