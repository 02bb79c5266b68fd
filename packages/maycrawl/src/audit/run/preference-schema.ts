/**
 * The tables of what sites declare about the use of their content. Only URLs for which something is declared have rows.
 *
 * @module
 */

/** What pages declare, and the preferences that follow for each crawler. */
export const SQLITE_PREFERENCES = `
create table declarations (
  id integer primary key,
  hash integer not null,               -- by which a text is found again
  text text not null                   -- JSON: headers and elements of a page (records/preferences.ts)
);
create index declarations_hash on declarations (hash);
create table page_declarations (
  key integer primary key,             -- of the page
  declaration integer not null
);
create table preferences (
  id integer primary key,
  hash integer not null,
  text text not null                   -- JSON (records/preferences.ts)
);
create index preferences_hash on preferences (hash);
create table url_preferences (
  key integer not null,
  agent integer not null,              -- its place among the agents of the run
  preferences integer not null,
  primary key (key, agent)
) without rowid;
`;

/** The same for many runs, without the preferences: a run is judged in the file that it is copied into. */
export const POSTGRES_DECLARATIONS = `
create table audit_declarations (
  run integer not null,
  id serial,
  digest text not null,
  text text not null,
  primary key (run, id),
  unique (run, digest)
);
create table audit_page_declarations (
  run integer not null,
  key bigint not null,
  declaration integer not null,
  primary key (run, key)
);
`;
