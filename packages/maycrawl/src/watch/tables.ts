/**
 * The tables of the monitor, the same in SQLite and PostgreSQL. Times are milliseconds since 1970; what servers have sent is JSON,
 * which every database holds whatever characters are in it.
 *
 * @module
 */
import { type Kysely, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import { toCurrentName } from './former-names.ts';

/** A site, how it is watched, and what is known of it. */
export interface SiteRow {
  readonly origin: string;
  /** JSON of {@link import('./site.ts').SiteSettings}. */
  readonly settings: string;
  readonly due_at: number;
  readonly lease_owner: string | null;
  readonly lease_until: number | null;
  readonly checked_at: number | null;
  readonly checks: number;
  /** The last good answer without its file, and the outage since then, in JSON; the file is a content. */
  readonly answer: string | null;
  readonly outage: string | null;
  readonly hash: string | null;
  /** What held after the last check. */
  readonly holds: string;
  /** Number of the version that is there now; 0 before the first. */
  readonly version: number;
  /** When the site last changed without anybody being told, because it changes all the time. */
  readonly damped_at: number | null;
  /** How many analyses of this site were started and did not end by themselves, since the last one that did. */
  readonly attempts: number;
  /** The response of the last attempt: SHA-256 of the file in hexadecimal, or the outcome. */
  readonly attempt_of: string | null;
  /** When the site was set aside, because its analyses did not end. */
  readonly set_aside_at: number | null;
}

/** What a site answered for some time. */
export interface VersionRow {
  readonly origin: string;
  /** From 1, for each site. */
  readonly number: number;
  readonly kind: 'found' | 'absent' | 'unreachable';
  readonly hash: string | null;
  /** Status, code, reason, headers and hops when it was seen first, in JSON. */
  readonly facts: string;
  readonly first_seen: number;
  readonly last_seen: number;
  /** How often it was seen. */
  readonly checks: number;
}

/** What happened to a site, and what it means. */
export interface EventRow {
  readonly id: string;
  readonly origin: string;
  readonly version: number;
  readonly at: number;
  readonly kind: string;
  readonly severity: string;
  readonly title: string;
  readonly text: string;
  /** JSON. */
  readonly details: string;
  /** 1 if nobody was told, because the site changes all the time. */
  readonly damped: number;
}

/** That somebody is to be told of an event. */
export interface OutboxRow {
  readonly event: string;
  readonly target: string;
  /** Of the message that it was tried in first, and is tried in again. */
  readonly message: string | null;
  readonly next_at: number;
  readonly attempts: number;
  readonly lease_owner: string | null;
  readonly lease_until: number | null;
  readonly delivered_at: number | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
  /** When it was given up. */
  readonly dropped_at: number | null;
  /** 1 if the operator set the target on the command line: it may be on a private address. */
  readonly is_open: number;
}

/** A file of a site, or a text of settings. */
interface ContentRow {
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** When somebody was last about to refer to it who had not before. */
  readonly kept_at: number;
}

export interface Tables {
  readonly watch_sites: SiteRow;
  readonly watch_contents: ContentRow;
  readonly watch_versions: VersionRow;
  readonly watch_events: EventRow;
  readonly watch_outbox: OutboxRow;
  readonly watch_schema: { readonly version: number };
}

/** Of these tables; a database of a later version is refused. */
export const SCHEMA_VERSION = 3;

/**
 * Creates the tables, or brings those of an earlier version up to date.
 *
 * @returns the version that they have then: a later one if a later version of this program made them.
 */
export async function createTables(db: Kysely<Tables>, isPostgres: boolean): Promise<number> {
  const time = isPostgres ? sql`bigint` : sql`integer`;
  const { schema } = db;
  await schema
    .createTable('watch_schema')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  const known = await db.selectFrom('watch_schema').select('version').executeTakeFirst();
  if (known !== undefined) return upgradeTables(db, time, known.version);
  await schema
    .createTable('watch_sites')
    .addColumn('origin', 'text', (column) => column.primaryKey())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('due_at', time, (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', time)
    .addColumn('checked_at', time)
    .addColumn('checks', time, (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('outage', 'text')
    .addColumn('hash', 'text')
    .addColumn('holds', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('damped_at', time)
    .execute();
  await addAttempts(db, time);
  await schema.createIndex('watch_sites_due').on('watch_sites').column('due_at').execute();
  await schema
    .createTable('watch_contents')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('bytes', isPostgres ? sql`bytea` : sql`blob`, (column) => column.notNull())
    .addColumn('kept_at', time, (column) => column.notNull())
    .execute();
  await schema
    .createTable('watch_versions')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('hash', 'text')
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('first_seen', time, (column) => column.notNull())
    .addColumn('last_seen', time, (column) => column.notNull())
    .addColumn('checks', time, (column) => column.notNull())
    .addPrimaryKeyConstraint('watch_versions_key', ['origin', 'number'])
    .execute();
  await schema.createIndex('watch_versions_hash').on('watch_versions').column('hash').execute();
  await schema
    .createTable('watch_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('at', time, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('damped', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('watch_events_at').on('watch_events').column('at').execute();
  await schema.createIndex('watch_events_of').on('watch_events').columns(['origin', 'at']).execute();
  await schema
    .createTable('watch_outbox')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('message', 'text')
    .addColumn('next_at', time, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', time)
    .addColumn('delivered_at', time)
    .addColumn('error', 'text')
    .addColumn('dropped_at', time)
    .addPrimaryKeyConstraint('watch_outbox_key', ['event', 'target'])
    .execute();
  await addOpenTargets(db);
  await schema
    .createIndex('watch_outbox_next')
    .on('watch_outbox')
    .columns(['delivered_at', 'next_at'])
    .execute();
  await db.insertInto('watch_schema').values({ version: SCHEMA_VERSION }).execute();
  return SCHEMA_VERSION;
}

type Time = ReturnType<typeof sql>;

/** Brings tables of an earlier version up to date. @returns the version that they have then. */
async function upgradeTables(db: Kysely<Tables>, time: Time, version: number): Promise<number> {
  if (version >= SCHEMA_VERSION) return version;
  if (version < 2) {
    await addAttempts(db, time);
    await addOpenTargets(db);
  }
  await renameValues(db);
  await db.updateTable('watch_schema').set({ version: SCHEMA_VERSION }).execute();
  return SCHEMA_VERSION;
}

/** Since version 3: severities are those of findings, and aspects and codes have other names (former-names.ts). */
async function renameValues(db: Kysely<Tables>): Promise<void> {
  const events = (): UpdateQueryBuilder<Tables, 'watch_events', 'watch_events', UpdateResult> =>
    db.updateTable('watch_events');
  for (const former of ['critical', 'notice'])
    await events()
      .set({ severity: toCurrentName(former) })
      .where('severity', '=', former)
      .execute();
  await events()
    .set({ kind: toCurrentName('tests-mended') })
    .where('kind', '=', 'tests-mended')
    .execute();
  await db
    .updateTable('watch_sites')
    .set({ holds: toCurrentName('outage-allows') })
    .where('holds', '=', 'outage-allows')
    .execute();
}

/** Since version 2. */
async function addAttempts({ schema }: Kysely<Tables>, time: Time): Promise<void> {
  const sites = schema.alterTable('watch_sites');
  await sites.addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0)).execute();
  await sites.addColumn('attempt_of', 'text').execute();
  await sites.addColumn('set_aside_at', time).execute();
}

/** Since version 2. Who set the targets of before is not known, so they are taken for set through the web. */
async function addOpenTargets({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .alterTable('watch_outbox')
    .addColumn('is_open', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
