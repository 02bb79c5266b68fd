/**
 * The tables of a run in SQLite. Anybody may look into them (docs/audit.md).
 *
 * @module
 */

/** A run that was made by a later version is refused. */
export const SCHEMA_VERSION = 1;

export const TABLES = `
create table if not exists run (
  name text primary key,
  value text not null                  -- JSON
) without rowid;

create table if not exists urls (
  key integer primary key,             -- in the order in which they were found
  hash integer not null,               -- by which a URL is found again
  url text not null,
  host text not null,                  -- with its port
  state integer not null,              -- 0 waiting, 1 asked, 2 blocked, 3 outside, 4 trap, 5 deep
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
