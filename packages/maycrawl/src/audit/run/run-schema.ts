// The tables of a run, which is one SQLite file. Anybody may look into them (docs/audit.md).
import type { Schema } from '@maycrawl/client/internal';

/** The statements that create the tables. */
export const RUN_TABLES = `
create table run (
  name text primary key,
  value text not null                  -- JSON
) without rowid;

create table urls (
  key integer primary key,             -- in the order in which they were found
  hash integer not null,               -- by which a URL is found again
  url text not null,
  host text not null,                  -- with its port
  state integer not null,              -- 0 waiting, 1 fetched, 2 blocked, 3 outside, 4 crawl-trap, 5 too-deep
  depth integer not null,              -- links from a start; 2147483647: there is no path from a start
  hops integer not null default 0,     -- successive redirects that led to it
  tries integer not null default 0,
  start integer not null default 0,    -- 1: the run begins there
  reason text                          -- why it is a crawl trap, or fetched although it is outside
);
create index urls_hash on urls (hash);
create index urls_waiting on urls (host, tries, depth, key) where state = 0;

create table hosts (                   -- those with waiting URLs
  host text primary key,               -- with its port
  state integer not null,              -- 0 ready, 1 claimed, 2 unresponsive
  turn integer not null                -- the order: the host with the least one is next
) without rowid;
create index hosts_ready on hosts (turn, host) where state = 0;

create table shapes (                  -- of URLs, as in calendars
  name text primary key,
  count integer not null
) without rowid;

create table pages (
  key integer primary key,
  at integer not null,                 -- milliseconds since 1970
  milliseconds real not null,          -- of the request
  bytes integer not null,
  status integer,                      -- null: no response
  type text,
  title text,
  digest text,                         -- of the body
  facts text not null,                 -- JSON: what the page says, or {code, detail} of a failure
  links blob not null,                 -- for each URL that it names: its key (a double, little-endian) and a byte of link types
  texts blob not null,                 -- for each of the links the id of its text (32 bits, little-endian), or 0
  resources blob not null              -- for each resource its id (32 bits, little-endian) and a byte of kinds
);
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
create table declarations (
  id integer primary key,
  hash integer not null,
  text text not null                   -- JSON: headers and elements of a page (records/preferences.ts)
);
create index declarations_hash on declarations (hash);
create table page_declarations (       -- only of pages that declare something about the use of their content
  key integer primary key,             -- of the page
  declaration integer not null
);
create table renderings (              -- pages after their scripts
  key integer primary key,
  at integer not null,                 -- milliseconds since 1970
  milliseconds real not null,
  outcome text not null                -- JSON
);

create table checks (                  -- what pages name and the crawl does not fetch (--external)
  url text primary key,
  at integer not null,                 -- milliseconds since 1970
  status integer,                      -- at the end of its redirects; null: no response, or not requested
  code text,                           -- why there is no status
  detail text
) without rowid;

create table sitemaps (
  id integer primary key,
  url text not null unique,
  found_in text not null,
  entries integer,                     -- null: not read yet
  problems text                        -- JSON: [{code, detail}], what is wrong with it
);
create table sitemap_entries (
  key integer not null,                -- of the URL
  sitemap integer not null,
  primary key (key, sitemap)
) without rowid;

create table robots (
  origin text primary key,
  policy text not null,
  code text,
  message text,
  fetched_at integer,
  body blob
) without rowid;

-- The results of the judgement. An agent is an index of the agents in the settings.
create table verdicts (
  key integer not null,
  agent integer not null,
  allowed integer not null,
  reason text not null,                -- of the decision by robots.txt
  line integer not null,
  indexable integer not null,
  reasons integer not null,            -- 1 blocked, 2 unreachable, 4 error, 8 redirect, 16 not-found, 32 noindex, 64 canonicalised
  masked_reasons integer not null,     -- the same for those that a block hides
  noindex integer not null,            -- where a noindex is: 1 an element, 2 a header, 3 both; 0: the crawler saw no noindex
  primary key (key, agent)
) without rowid;
create table findings (                -- findings/finding-kinds.ts
  code text not null,
  agent integer not null,
  key integer not null,
  severity integer not null,           -- 0 error, 1 warning, 2 info
  links integer not null,              -- pages that link to the URL
  detail text,
  targets text not null,               -- JSON: a list of URLs
  primary key (code, agent, key)
) without rowid;
create index findings_key on findings (key);
create table blocked_resources (
  resource integer not null,
  agent integer not null,
  line integer not null,               -- of the robots.txt of its site
  primary key (resource, agent)
) without rowid;
create table preferences (
  id integer primary key,
  hash integer not null,
  text text not null                   -- JSON (records/preferences.ts)
);
create index preferences_hash on preferences (hash);
create table url_preferences (         -- only of URLs for which something is declared
  key integer not null,
  agent integer not null,
  preferences integer not null,
  primary key (key, agent)
) without rowid;
`;

/** The tables of a run. */
export const RUN_SCHEMA: Schema = {
  component: 'audit-run',
  migrations: [{ name: 'tables of a run', script: RUN_TABLES }],
};
