// The schema of the monitor.
import type { Schema, SqlDatabase } from '@maycrawl/client/internal';

/** Creates the schema of the monitor. @param kind - of the database. */
export function createWatchSchema(kind: SqlDatabase['kind']): Schema {
  const [time, bytes] = kind === 'postgres' ? ['bigint', 'bytea'] : ['integer', 'blob'];
  return {
    component: 'monitor',
    migrations: [
      {
        name: 'sites, contents, versions with the hashes of their records, events, outbox, audits and access logs',
        script: `
          create table watch_sites (
            origin text primary key, settings text not null, due_at ${time} not null, lease_owner text, lease_until ${time},
            checked_at ${time}, checks ${time} not null, response text, outage text, hash text, policy text not null,
            version integer not null, throttled_at ${time},
            attempts integer not null default 0, attempted_response text, set_aside_at ${time},
            unconfirmed text, site_check text
          );
          create index watch_sites_due on watch_sites (due_at);
          create index watch_sites_checked on watch_sites (checked_at);
          create table watch_contents (hash text primary key, bytes ${bytes} not null, stored_at ${time} not null);
          create table watch_versions (
            origin text not null, number integer not null, kind text not null, hash text, records_hash text, facts text not null,
            first_seen ${time} not null, last_seen ${time} not null, checks ${time} not null,
            constraint watch_versions_key primary key (origin, number)
          );
          create index watch_versions_hash on watch_versions (hash);
          create table watch_events (
            id text primary key, origin text not null, version integer not null, at ${time} not null, kind text not null,
            severity text not null, title text not null, text text not null, details text not null, throttled integer not null
          );
          create index watch_events_at on watch_events (at);
          create index watch_events_of on watch_events (origin, at);
          create table watch_outbox (
            event text not null, target text not null, message text, next_at ${time} not null, attempts integer not null,
            lease_owner text, lease_until ${time}, delivered_at ${time}, error text, dropped_at ${time},
            is_open integer not null,
            constraint watch_outbox_key primary key (event, target)
          );
          create index watch_outbox_next on watch_outbox (delivered_at, next_at);
          create table watch_audits (
            origin text primary key, settings text not null, due_at ${time} not null, lease_owner text, lease_until ${time},
            run text, started_at ${time}, attempts integer not null, last_run text, last_at ${time}, failure text
          );
          create index watch_audits_due on watch_audits (due_at);
          create table watch_logs (
            origin text not null, path text not null, machine text not null, settings text not null, due_at ${time} not null,
            lease_owner text, lease_until ${time}, state text, last_at ${time}, failure text,
            constraint watch_logs_key primary key (origin, path, machine)
          );
          create index watch_logs_due on watch_logs (due_at);`,
      },
    ],
  };
}
