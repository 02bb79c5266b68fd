/**
 * Copies a run from PostgreSQL to a file, where it is judged and reported.
 *
 * @module
 */
import type { PostgresDatabase, SqlValue } from '@maycrawl/client/database';
import type { RunRow } from './postgres/postgres-urls.ts';
import { hashUrl } from './records/url-key.ts';
import type { SqliteRun } from './sqlite/sqlite-run.ts';

/** Number of rows of one query. */
const CHUNK = 1_000;

/** A table to copy. */
interface Copied {
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns that are unique together and order the rows. */
  readonly order: readonly string[];
  /** The condition of rows that are copied. @defaultValue all are */
  readonly where?: string;
  /** Computes further columns of the file. */
  readonly add?: (row: Row, seed: number) => Row;
}

type Row = Readonly<Record<string, SqlValue>>;

const COPIED: readonly Copied[] = [
  {
    table: 'urls',
    columns: ['key', 'url', 'host', 'state', 'depth', 'hops', 'tries', 'start', 'why'],
    add: ({ url }, seed) => ({ hash: hashUrl(String(url), seed) }),
    order: ['key'],
  },
  {
    table: 'pages',
    columns: [
      ...['key', 'at', 'ms', 'bytes', 'status', 'type', 'title', 'digest', 'facts', 'leads'],
      ...['texts', 'resources'],
    ],
    order: ['key'],
  },
  { table: 'texts', columns: ['id', 'text'], order: ['id'], add: hashText },
  { table: 'resources', columns: ['id', 'text'], order: ['id'], add: hashText },
  { table: 'declarations', columns: ['id', 'text'], order: ['id'], add: hashText },
  { table: 'page_declarations', columns: ['key', 'declaration'], order: ['key'] },
  { table: 'sitemaps', columns: ['id', 'url', 'found_in', 'entries', 'problem'], order: ['id'] },
  { table: 'sitemap_entries', columns: ['key', 'sitemap'], order: ['key', 'sitemap'] },
  {
    table: 'renderings',
    columns: ['key', 'at', 'ms', 'outcome'],
    order: ['key'],
    where: 'outcome is not null',
  },
  { table: 'robots', columns: ['origin', 'used', 'code', 'reason', 'fetched_at', 'body'], order: ['origin'] },
];

function hashText({ text }: Row, seed: number): Row {
  return { hash: hashUrl(String(text), seed) };
}

/**
 * Copies a run without its counts of shapes, which only the crawl needs.
 *
 * @param to - a new run with the same seed.
 */
export async function copyRun(database: PostgresDatabase, run: RunRow, to: SqliteRun): Promise<void> {
  const facts = await database.query<{ name: string; value: string }>(
    'select name, value from audit_facts where run = $1',
    [run.id],
  );
  for (const { name, value } of facts.rows) await to.set(name, JSON.parse(value));
  for (const copied of COPIED)
    for await (const rows of readRows(database, run, copied))
      to.insertRows(
        copied.table,
        rows.map((row) => ({ ...row, ...copied.add?.(row, run.seed) })),
      );
  to.recount();
}

async function* readRows(
  database: PostgresDatabase,
  { id }: RunRow,
  { table, columns, order, where: condition = 'true' }: Copied,
): AsyncGenerator<Row[]> {
  const list = order.join(', ');
  const places = order.map((_, index) => `$${index + 2}`).join(', ');
  const text = (where: string): string =>
    `select ${columns.join(', ')} from audit_${table} where run = $1 and ${condition} ${where} order by ${list} limit ${CHUNK}`;
  for (let last: Row | undefined; ; ) {
    const after = order.map((name) => last?.[name] ?? null);
    const { rows } =
      last === undefined
        ? await database.query<Row>(text(''), [id])
        : await database.query<Row>(text(`and (${list}) > (${places})`), [id, ...after]);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}
