/**
 * The tables of the monitor, the same in SQLite and PostgreSQL. Times are milliseconds since 1970. What servers sent is stored as JSON,
 * which escapes every character that a database cannot store.
 *
 * @module
 */
import { hasTable, rawSql, type Schema, type SqlDatabase } from '@maycrawl/client/database';
import { toCurrentName } from './former-names.ts';

/** A site, how it is watched, and what is known of it. */
export interface SiteRow {
  readonly origin: string;
  /** JSON of {@link import('../site.ts').SiteSettings}. */
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

/** The tables of the monitor. @param kind - of the database. */
export function createWatchSchema(kind: SqlDatabase['kind']): Schema {
  const [time, bytes] = kind === 'postgres' ? ['bigint', 'bytea'] : ['integer', 'blob'];
  return {
    component: 'monitor',
    migrations: [
      {
        name: 'sites, contents, versions, events and outbox',
        script: `
          create table watch_sites (
            origin text primary key, settings text not null, due_at ${time} not null, lease_owner text, lease_until ${time},
            checked_at ${time}, checks ${time} not null, answer text, outage text, hash text, holds text not null,
            version integer not null, damped_at ${time}
          );
          create index watch_sites_due on watch_sites (due_at);
          create table watch_contents (hash text primary key, bytes ${bytes} not null, kept_at ${time} not null);
          create table watch_versions (
            origin text not null, number integer not null, kind text not null, hash text, facts text not null,
            first_seen ${time} not null, last_seen ${time} not null, checks ${time} not null,
            constraint watch_versions_key primary key (origin, number)
          );
          create index watch_versions_hash on watch_versions (hash);
          create table watch_events (
            id text primary key, origin text not null, version integer not null, at ${time} not null, kind text not null,
            severity text not null, title text not null, text text not null, details text not null, damped integer not null
          );
          create index watch_events_at on watch_events (at);
          create index watch_events_of on watch_events (origin, at);
          create table watch_outbox (
            event text not null, target text not null, message text, next_at ${time} not null, attempts integer not null,
            lease_owner text, lease_until ${time}, delivered_at ${time}, error text, dropped_at ${time},
            constraint watch_outbox_key primary key (event, target)
          );
          create index watch_outbox_next on watch_outbox (delivered_at, next_at);`,
      },
      {
        // Who set the targets of before is not known, so they count as set through the web.
        name: 'attempts, sites set aside, open targets',
        script: `
          alter table watch_sites add column attempts integer not null default 0;
          alter table watch_sites add column attempt_of text;
          alter table watch_sites add column set_aside_at ${time};
          alter table watch_outbox add column is_open integer not null default 0;`,
      },
      {
        // Severities are those of findings, and aspects and codes have other names (former-names.ts).
        name: 'severities and names of kinds',
        script: `
          update watch_events set severity = '${toCurrentName('critical')}' where severity = 'critical';
          update watch_events set severity = '${toCurrentName('notice')}' where severity = 'notice';
          update watch_events set kind = '${toCurrentName('tests-mended')}' where kind = 'tests-mended';
          update watch_sites set holds = '${toCurrentName('outage-allows')}' where holds = 'outage-allows';`,
      },
      {
        // Releases before this one read the version there, and refuse the database.
        name: 'versions in the table of migrations',
        script: `
          create table if not exists watch_schema (version integer not null);
          delete from watch_schema;
          insert into watch_schema values (4);`,
      },
      {
        // The pages of the service show the last checks.
        name: 'index of the last checks',
        script: 'create index if not exists watch_sites_checked on watch_sites (checked_at)',
      },
    ],
    getReleasedVersion: async (connection) => {
      if (!(await hasTable(connection, 'watch_schema'))) return 0;
      const row = await connection.get<{ version: number }>(rawSql('select version from watch_schema'));
      return row?.version ?? 0;
    },
  };
}
