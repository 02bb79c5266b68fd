/**
 * What is wrong with the file of a run that was damaged, or made by another program. A few things are looked at whenever a run is opened,
 * because they could keep a report from ending; all others only after something failed, because that reads the whole run.
 *
 * @module
 */
import type { Database } from 'better-sqlite3';
import { parseStoredFacts, toCurrentReason } from './former-names.ts';
import { unpackLeads } from './link-list.ts';
import { STATES } from './run-store.ts';

/** What decides at a site (KeptRobots). */
const USES: readonly unknown[] = ['rules', 'absent', 'unreachable', 'outage-expired', 'given'];

/**
 * Looks at the tables of a run.
 *
 * @param pattern - another database, which has the tables of a new run.
 * @returns what is wrong; `undefined` if nothing is.
 */
export function findWrongTable(db: Database, pattern: Database): string | undefined {
  const code = db.prepare("select name from sqlite_master where type in ('view', 'trigger')").pluck().get();
  // They could do anything, without end, when the run is read.
  if (code !== undefined) return 'it has a view or a trigger';
  const tables = pattern.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  for (const table of tables as string[]) {
    const isTable =
      "select 1 from sqlite_master where name = ? and type = 'table' and sql like 'create table%'";
    if (db.prepare(isTable).get(table) === undefined) return `it has no table "${table}"`;
    const columns = 'select name from pragma_table_info(?)';
    const known = new Set(db.prepare(columns).pluck().all(table));
    const missing = (pattern.prepare(columns).pluck().all(table) as string[]).find(
      (name) => !known.has(name),
    );
    if (missing !== undefined) return `its table "${table}" has no column "${missing}"`;
  }
  const { first, last } = db.prepare('select min(key) as first, max(key) as last from urls').get() as {
    readonly first: number | null;
    readonly last: number | null;
  };
  // Larger ones are not exact here: going through the URLs would not end.
  const areKeys = (first ?? 0) >= 0 && Number.isSafeInteger(last ?? 0);
  return areKeys ? undefined : 'a URL has a key that is none';
}

/** Looks for damage in all rows of a run. @returns what is damaged; `undefined` if nothing is found. */
export function findDamage(db: Database): string | undefined {
  const check = db.pragma('quick_check(1)', { simple: true });
  if (check !== 'ok') return 'the database is malformed';
  for (const [table, text, isRight] of ROWS)
    for (const row of db.prepare(text).iterate() as IterableIterator<Readonly<Record<string, unknown>>>)
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
    ({ status, facts, leads }) => isFacts(status, parseJson(facts, parseStoredFacts)) && isLeads(leads),
  ],
  [
    'robots',
    'select origin, used, body from robots',
    ({ origin, used, body }) =>
      isUrl(origin) &&
      USES.includes(toCurrentReason(String(used))) &&
      (body === null || body instanceof Uint8Array),
  ],
];

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
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

function isLeads(value: unknown): boolean {
  if (!(value instanceof Uint8Array)) return false;
  try {
    unpackLeads(value);
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
