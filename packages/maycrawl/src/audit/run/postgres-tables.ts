/**
 * The tables of runs in PostgreSQL, where several workers crawl at once. They are those of the file (sqlite-tables.ts), for many
 * runs, and without verdicts: a run is judged in the file that it is copied into (copy-run.ts).
 *
 * @module
 */

/** Tables of a later version are refused. */
export const SCHEMA_VERSION = 1;
/** Only one program makes the tables. */
export const SCHEMA_LOCK = 0x6d61_7561;

export const TABLES = `
create table if not exists audit_schema (version integer not null);
create table if not exists audit_runs (
  id serial primary key,
  name text not null unique,
  seed bigint not null
);
create table if not exists audit_facts (
  run integer not null,
  name text not null,
  value text not null,
  primary key (run, name)
);
create table if not exists audit_urls (
  run integer not null,
  key bigint not null,
  url text not null,
  host text not null,
  state smallint not null,
  depth integer not null,
  seq bigserial,
  hops integer not null default 0,
  tries integer not null default 0,
  start smallint not null default 0,
  why text,
  primary key (run, key)
);
create index if not exists audit_urls_waiting on audit_urls (run, host, tries, depth, seq) where state = 0;
create table if not exists audit_pages (
  run integer not null,
  key bigint not null,
  at bigint not null,
  ms double precision not null,
  bytes bigint not null,
  status integer,
  type text,
  title text,
  digest text,
  facts text not null,
  leads bytea not null,
  primary key (run, key)
);
create table if not exists audit_sitemaps (
  run integer not null,
  id serial,
  url text not null,
  found_in text not null,
  entries integer,
  problem text,
  primary key (run, url)
);
create table if not exists audit_sitemap_entries (
  run integer not null,
  key bigint not null,
  sitemap integer not null,
  primary key (run, key, sitemap)
);
create table if not exists audit_robots (
  run integer not null,
  origin text not null,
  used text not null,
  code text,
  reason text,
  fetched_at bigint,
  body bytea,
  primary key (run, origin)
);
create table if not exists audit_shapes (
  run integer not null,
  name text not null,
  count integer not null,
  primary key (run, name)
);
create table if not exists audit_hosts (
  run integer not null,
  host text not null,
  owner text,
  until bigint not null,
  primary key (run, host)
);
`;
