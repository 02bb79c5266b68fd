/**
 * The tables of runs: of one run in a SQLite file, of many in a PostgreSQL database. Anybody may look into them (docs/audit.md).
 *
 * @module
 */
import { hasTable, rawSql, type Schema } from '@maycrawl/client/database';
import { POSTGRES_HOSTS, SQLITE_HOSTS } from './host-schema.ts';
import { POSTGRES_DECLARATIONS, SQLITE_PREFERENCES } from './preference-schema.ts';

/** Of one run. */
export const SQLITE_RUN_TABLES = `
create table if not exists run (
  name text primary key,
  value text not null                  -- JSON
) without rowid;

create table if not exists urls (
  key integer primary key,             -- in the order in which they were found
  hash integer not null,               -- by which a URL is found again
  url text not null,
  host text not null,                  -- with its port
  state integer not null,              -- 0 waiting, 1 fetched, 2 blocked, 3 outside, 4 trap, 5 deep
  depth integer not null,              -- steps from the start; 2147483647: none leads there
  hops integer not null default 0,     -- redirects in a row through which it was found
  tries integer not null default 0,
  start integer not null default 0,    -- 1: the run begins there
  why text
);
create index if not exists urls_hash on urls (hash);
create index if not exists urls_waiting on urls (host, tries, depth, key) where state = 0;

create table if not exists pages (
  key integer primary key,
  at integer not null,                 -- milliseconds since 1970
  ms real not null,
  bytes integer not null,
  status integer,                      -- null: no answer
  type text,
  title text,
  digest text,                         -- of the body
  facts text not null,                 -- JSON: what the page says, or {code, detail} of a failure
  leads blob not null                  -- for each URL that it names: its key (a double, little-endian) and a byte of ways
);

create table if not exists sitemaps (
  id integer primary key,
  url text not null unique,
  found_in text not null,
  entries integer,
  problem text
);
create table if not exists sitemap_entries (
  key integer not null,
  sitemap integer not null,
  primary key (key, sitemap)
) without rowid;

create table if not exists robots (
  origin text primary key,
  used text not null,
  code text,
  reason text,
  fetched_at integer,
  body blob
) without rowid;

create table if not exists shapes (
  name text primary key,
  count integer not null
) without rowid;

create table if not exists verdicts (
  key integer not null,
  agent integer not null,              -- its place among the agents of the run
  allowed integer not null,
  because text not null,
  line integer not null,
  indexable integer not null,
  reasons integer not null,            -- 1 blocked, 2 unreachable, 4 error, 8 redirect, 16 not-found, 32 noindex, 64 canonicalised
  hidden integer not null,
  primary key (key, agent)
) without rowid;
`;

/** What is wrong with URLs (findings/kinds/finding-kinds.ts). */
const SQLITE_FINDINGS = `
create table findings (
  code text not null,
  agent integer not null,              -- its place among the agents of the run
  key integer not null,
  detail text,
  targets text not null,               -- JSON: a list of URLs
  primary key (code, agent, key)
) without rowid;
create index findings_key on findings (key);
`;

/** The texts of links and the resources of pages. Pages of earlier releases have none (`null`). */
const SQLITE_TEXTS = `
create table texts (
  id integer primary key,
  hash integer not null,               -- by which a text is found again
  text text not null                   -- of links from a page to a URL: one, or several lines
);
create index texts_hash on texts (hash);
create table resources (
  id integer primary key,
  hash integer not null,
  text text not null                   -- the URL of a script, stylesheet or image
);
create index resources_hash on resources (hash);
create table blocked_resources (
  resource integer not null,
  agent integer not null,              -- its place among the agents of the run
  line integer not null,               -- of the robots.txt of its site
  primary key (resource, agent)
) without rowid;
alter table pages add column texts blob;     -- for each of the leads the id of its text (32 bits, little-endian), or 0
alter table pages add column resources blob; -- for each resource its id (32 bits, little-endian) and a byte of kinds
`;

/** Pages after their scripts (rendering.ts). */
const SQLITE_RENDERINGS = `
create table renderings (
  key integer primary key,
  at integer not null,                 -- milliseconds since 1970
  ms real not null,
  outcome text not null                -- JSON
);
`;

/** The same for many runs, without verdicts: a run is judged in the file that it is copied into (copy-run.ts). */
const POSTGRES_RUN_TABLES = `
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

const POSTGRES_TEXTS = `
create table audit_texts (
  run integer not null,
  id serial,
  digest text not null,                -- by which a text is found again: it is too long for an index
  text text not null,
  primary key (run, id),
  unique (run, digest)
);
create table audit_resources (
  run integer not null,
  id serial,
  digest text not null,
  text text not null,
  primary key (run, id),
  unique (run, digest)
);
alter table audit_pages add column texts bytea;
alter table audit_pages add column resources bytea;
`;

/** A worker claims a page before it renders it. */
const POSTGRES_RENDERINGS = `
create table audit_renderings (
  run integer not null,
  key bigint not null,
  claimed_until bigint not null,       -- milliseconds since 1970
  at bigint,
  ms double precision,
  outcome text,                        -- null: claimed
  primary key (run, key)
);
`;

/** The tables of a run in a SQLite file. */
export const SQLITE_RUN: Schema = {
  component: 'audit-run',
  migrations: [
    { name: 'tables of a run', script: SQLITE_RUN_TABLES },
    // Releases before this one read the version there, and refuse the file.
    {
      name: 'versions in the table of migrations',
      script: "insert or replace into run values ('schema', '2')",
    },
    { name: 'findings', script: SQLITE_FINDINGS },
    { name: 'texts and resources', script: SQLITE_TEXTS },
    { name: 'renderings', script: SQLITE_RENDERINGS },
    { name: 'preferences', script: SQLITE_PREFERENCES },
    { name: 'turns of hosts', script: SQLITE_HOSTS },
  ],
  getReleasedVersion: async (connection) => {
    if (!(await hasTable(connection, 'run'))) return 0;
    const row = await connection.get<{ value: string }>(
      rawSql("select value from run where name = 'schema'"),
    );
    return Number(row?.value ?? Number.NaN);
  },
};

/** The tables of runs in a PostgreSQL database. */
export const POSTGRES_RUNS: Schema = {
  component: 'audit-run',
  migrations: [
    { name: 'tables of runs', script: POSTGRES_RUN_TABLES },
    // Releases before this one read the version there, and refuse the database.
    {
      name: 'versions in the table of migrations',
      script: `create table if not exists audit_schema (version integer not null);
        delete from audit_schema;
        insert into audit_schema values (2)`,
    },
    { name: 'texts and resources', script: POSTGRES_TEXTS },
    { name: 'renderings', script: POSTGRES_RENDERINGS },
    { name: 'declarations', script: POSTGRES_DECLARATIONS },
    { name: 'turns of hosts', script: POSTGRES_HOSTS },
  ],
  getReleasedVersion: async (connection) => {
    if (!(await hasTable(connection, 'audit_schema'))) return 0;
    const row = await connection.get<{ version: number }>(rawSql('select version from audit_schema'));
    return row?.version ?? 0;
  },
};
