// The repository of access logs that are read on a schedule: which logs, when, and by which worker.
import { hostname } from 'node:os';
import { sql } from '@maycrawl/client/internal';
import type { Impact } from '../analysis/impact/impact-types.ts';
import { ScheduledRows } from '../scheduled/scheduled-rows.ts';
import type { SiteSettings } from '../site.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { insertInto } from '../storage/rows.ts';
import type { EventRow, LogRow } from '../storage/tables.ts';
import { DamagedLogError, type LogSettings, readLogSettings } from './log-settings.ts';
import { readWatchedLog, type WatchedLog } from './log-state.ts';

/** A log that a worker has claimed. */
export interface ClaimedLog {
  readonly origin: string;
  readonly path: string;
  readonly settings: LogSettings;
  /** Those of the monitored site. */
  readonly site: SiteSettings;
  /** `null` before the first reading. */
  readonly before: WatchedLog | null;
  /** When it was read last, in milliseconds since 1970. */
  readonly lastAt: number | null;
  /** Why the last reading failed or was incomplete, in a sentence; `null` if it was complete. */
  readonly failure: string | null;
  readonly owner: string;
}

export interface LogResult {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `null` if nothing was read: the next reading begins at the same line. */
  readonly log: WatchedLog | null;
  readonly failure: string | null;
  readonly impacts: readonly Impact[];
  readonly dueAt: number;
}

type LogKey = Pick<ClaimedLog, 'origin' | 'path'>;

export class LogRepository {
  readonly #database: WatchDatabase;
  /** The name of this machine. A file of SQLite is on the machine that has the logs. */
  readonly #machine: string;
  readonly #rows: ScheduledRows<LogKey>;

  constructor(database: WatchDatabase, machine: string = database.db.kind === 'postgres' ? hostname() : '') {
    this.#database = database;
    this.#machine = machine;
    this.#rows = new ScheduledRows(database, 'watch_logs', ['origin', 'path'], { machine });
  }

  /** Adds a log of a monitored site, or changes how it is read. @param dueAt - milliseconds since 1970. */
  async add({ origin, path }: LogKey, settings: LogSettings, dueAt: number): Promise<void> {
    const row = { origin, path, machine: this.#machine, settings: JSON.stringify(settings), due_at: dueAt };
    await this.#database.db.run(
      sql`${insertInto('watch_logs', [row])} on conflict (origin, path, machine) do update
          set settings = excluded.settings, due_at = excluded.due_at`,
    );
  }

  /** Removes a log of this machine. @param origin - @defaultValue of all sites @returns the number of sites of which it was read. */
  async remove(path: string, origin?: string): Promise<number> {
    const ofSite = origin === undefined ? sql`` : sql`and origin = ${origin}`;
    return this.#database.db.run(
      sql`delete from watch_logs where path = ${path} and machine = ${this.#machine} ${ofSite}`,
    );
  }

  /** Reads the logs of all machines. */
  async list(): Promise<LogRow[]> {
    return this.#database.db.all<LogRow>(sql`select * from watch_logs order by origin, path, machine`);
  }

  /**
   * Claims the log of this machine that is due first: no other worker gets it before the lease has expired.
   *
   * @throws {DamagedLogError} if its row is damaged; it is due again after an hour then.
   */
  claim(owner: string, now: number): Promise<ClaimedLog | undefined> {
    return this.#rows.claim(owner, now, (row: LogRow, site) => {
      const { origin, path, failure, last_at: lastAt } = row;
      const settings = readLogSettings(row.settings);
      if (settings === null || site === undefined) throw new DamagedLogError(origin, path);
      return { origin, path, settings, site, before: readState(row), lastAt, failure, owner };
    });
  }

  /** Renews the claim of an owner. */
  renew(owner: string): Promise<void> {
    return this.#rows.renew(owner);
  }

  /** Releases a log that was not read. @param dueAt - milliseconds since 1970. @defaultValue it stays due */
  async release(log: ClaimedLog, dueAt?: number): Promise<void> {
    await this.#rows.release(log, log.owner, dueAt === undefined ? {} : { due_at: dueAt });
  }

  /**
   * Records a reading and its events in one transaction, unless another worker has claimed the log meanwhile: after a kill, either all of it
   * is there, or the same lines are read again.
   *
   * @returns the events.
   */
  record(claimed: ClaimedLog, result: LogResult): Promise<EventRow[]> {
    const { at, log, failure, dueAt } = result;
    const state = log === null ? {} : { state: JSON.stringify(log) };
    return this.#rows.end(claimed, claimed.owner, { ...state, last_at: at, failure, due_at: dueAt }, result);
  }

  /** Returns when the next log of this machine is due that no worker has claimed; `null` without one. */
  nextDue(): Promise<number | null> {
    return this.#rows.nextDue();
  }
}

function readState({ origin, path, state }: LogRow): WatchedLog | null {
  try {
    return readWatchedLog(state);
  } catch {
    throw new DamagedLogError(origin, path);
  }
}
