/**
 * The tables of a store in a SQLite file.
 *
 * @module
 */
import type { Schema } from '../database/migrate.ts';

/** Marks a file as a store of maycrawl: `mayc`. */
export const APPLICATION_ID = 0x6d617963;

/** Size and last use are in a table of their own: to change the time of use must not write the file of the origin again. */
export const SQLITE_STORE: Schema = {
  component: 'robots-store',
  migrations: [
    {
      name: 'origins, events, leases, uses and totals',
      script: `PRAGMA application_id = ${APPLICATION_ID};
   CREATE TABLE origins (key BLOB PRIMARY KEY, origin TEXT NOT NULL, answer TEXT, outage TEXT, body BLOB);
   CREATE INDEX origins_by_name ON origins (origin);
   CREATE TABLE events (
     id INTEGER PRIMARY KEY,
     key BLOB NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, status INTEGER, code TEXT, hash TEXT, bytes INTEGER NOT NULL
   );
   CREATE INDEX events_by_key ON events (key, id);
   CREATE TABLE leases (key BLOB PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);
   CREATE TABLE usage (
     key BLOB PRIMARY KEY, failing INTEGER NOT NULL, used_at INTEGER NOT NULL, bytes INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX usage_by_time ON usage (failing, used_at);
   CREATE TABLE totals (
     id INTEGER PRIMARY KEY CHECK (id = 1), origins INTEGER NOT NULL, bytes INTEGER NOT NULL,
     failing_origins INTEGER NOT NULL, failing_bytes INTEGER NOT NULL, checked_at INTEGER NOT NULL
   );
   INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0);
   CREATE TRIGGER usage_added AFTER INSERT ON usage BEGIN
     UPDATE totals SET origins = origins + 1, bytes = bytes + new.bytes,
       failing_origins = failing_origins + new.failing, failing_bytes = failing_bytes + new.failing * new.bytes;
   END;
   CREATE TRIGGER usage_removed AFTER DELETE ON usage BEGIN
     UPDATE totals SET origins = origins - 1, bytes = bytes - old.bytes,
       failing_origins = failing_origins - old.failing, failing_bytes = failing_bytes - old.failing * old.bytes;
   END;
   CREATE TRIGGER usage_changed AFTER UPDATE OF failing, bytes ON usage BEGIN
     UPDATE totals SET bytes = bytes + new.bytes - old.bytes, failing_origins = failing_origins + new.failing - old.failing,
       failing_bytes = failing_bytes + new.failing * new.bytes - old.failing * old.bytes;
   END;`,
    },
  ],
};
