/**
 * The schema of the monitor, and its migrations. The first ones have names that later ones replace.
 *
 * @module
 */
// cspell:disable
import { hasTable, rawSql, type Schema, type SqlDatabase } from '@maycrawl/client/database';
import { toCurrentName } from './former-names.ts';

/** Creates the schema of the monitor. @param kind - of the database. */
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
        // It is unknown who set the existing targets, so they count as set through the web.
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
      {
        name: 'names of columns',
        script: `
          alter table watch_sites rename column holds to policy;
          alter table watch_sites rename column damped_at to throttled_at;
          alter table watch_sites rename column attempt_of to attempted_response;
          alter table watch_events rename column damped to throttled;
          alter table watch_contents rename column kept_at to stored_at;`,
      },
      {
        name: 'unconfirmed failures and checks of the rest of a site',
        script: `
          alter table watch_sites add column unconfirmed text;
          alter table watch_sites add column site_check text;`,
      },
      {
        name: 'scheduled audits',
        script: `
          create table watch_audits (
            origin text primary key, settings text not null, due_at ${time} not null, lease_owner text, lease_until ${time},
            run text, started_at ${time}, attempts integer not null, last_run text, last_at ${time}, failure text
          );
          create index watch_audits_due on watch_audits (due_at);`,
      },
    ],
    getReleasedVersion: async (connection) => {
      if (!(await hasTable(connection, 'watch_schema'))) return 0;
      const row = await connection.get<{ version: number }>(rawSql('select version from watch_schema'));
      return row?.version ?? 0;
    },
  };
}
