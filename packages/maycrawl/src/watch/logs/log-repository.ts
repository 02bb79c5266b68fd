// The repository of access logs that are read on a schedule: which logs, when, and by which worker.
import { hostname } from 'node:os';
import { type Sql, sql } from '@maycrawl/client/internal';
import type { Impact } from '../analysis/impact/impact-types.ts';
import type { SiteSettings } from '../site.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { readSettings, recordImpacts } from '../storage/events.ts';
import { getLeaseEnd, insertInto, isFree, skipLocked } from '../storage/rows.ts';
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

/** From the attempt to read damaged settings to the next one, in milliseconds. */
const DAMAGE_PAUSE = 3_600_000;

type LogKey = Pick<ClaimedLog, 'origin' | 'path'>;

export class LogRepository {
  readonly #database: WatchDatabase;
  /** The name of this machine. A file of SQLite is on the machine that has the logs. */
  readonly #machine: string;

  constructor(database: WatchDatabase, machine: string = database.db.kind === 'postgres' ? hostname() : '') {
    this.#database = database;
    this.#machine = machine;
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
  async claim(owner: string, now: number): Promise<ClaimedLog | undefined> {
    const found = await this.#database.db.transaction(async (transaction) => {
      const due = sql`select origin, path, machine from watch_logs
                      where machine = ${this.#machine} and due_at <= ${now} and ${isFree(this.#database)}
                      order by due_at limit 1 ${skipLocked(transaction)}`;
      const [row] = await transaction.all<LogRow>(
        sql`update watch_logs set lease_owner = ${owner}, lease_until = ${getLeaseEnd(this.#database)}
            where (origin, path, machine) in (${due}) returning *`,
      );
      return row && { row, site: await readSettings(transaction, row.origin) };
    });
    if (found === undefined) return undefined;
    const { origin, path, failure, last_at: lastAt } = found.row;
    try {
      const settings = readLogSettings(found.row.settings);
      if (settings === null || found.site === undefined) throw new DamagedLogError(origin, path);
      const site = this.#database.targets.parseSettings(found.site);
      return { origin, path, settings, site, before: readState(found.row), lastAt, failure, owner };
    } catch (error) {
      await this.#release({ origin, path, owner }, sql`due_at = ${now + DAMAGE_PAUSE},`);
      throw error;
    }
  }

  /** Renews the claim of an owner. */
  async renew(owner: string): Promise<void> {
    await this.#database.renewals.run(
      sql`update watch_logs set lease_until = ${getLeaseEnd(this.#database)} where lease_owner = ${owner}`,
    );
  }

  /** Releases a log that was not read. @param dueAt - milliseconds since 1970. @defaultValue it stays due */
  async release(log: ClaimedLog, dueAt?: number): Promise<void> {
    await this.#release(log, dueAt === undefined ? sql`` : sql`due_at = ${dueAt},`);
  }

  /**
   * Records a reading, its events and their notifications, in one transaction: after a kill, either all of it is there, or the same lines are
   * read again. Nothing is recorded if another worker has claimed the log meanwhile.
   *
   * @returns the events.
   */
  async record({ origin, path, owner }: ClaimedLog, result: LogResult): Promise<EventRow[]> {
    const { at, log, failure, impacts, dueAt } = result;
    const state = log === null ? sql`` : sql`state = ${JSON.stringify(log)},`;
    return this.#database.db.transaction(async (transaction) => {
      const count = await transaction.run(
        sql`update watch_logs set ${state} last_at = ${at}, failure = ${failure}, due_at = ${dueAt},
              lease_owner = null, lease_until = null
            where ${this.#isOwned({ origin, path, owner })}`,
      );
      return count === 0 ? [] : recordImpacts(transaction, this.#database.targets, { origin, at, impacts });
    });
  }

  /** Returns when the next log of this machine is due that no worker has claimed; `null` if there is none. */
  async nextDue(): Promise<number | null> {
    const row = await this.#database.db.get<{ next: number | null }>(
      sql`select min(due_at) as next from watch_logs where machine = ${this.#machine} and ${isFree(this.#database)}`,
    );
    return row?.next ?? null;
  }

  #isOwned({ origin, path, owner }: LogKey & Pick<ClaimedLog, 'owner'>): Sql {
    return sql`origin = ${origin} and path = ${path} and machine = ${this.#machine} and lease_owner = ${owner}`;
  }

  async #release(log: LogKey & Pick<ClaimedLog, 'owner'>, changes: Sql): Promise<void> {
    await this.#database.db.run(
      sql`update watch_logs set ${changes} lease_owner = null, lease_until = null where ${this.#isOwned(log)}`,
    );
  }
}

function readState({ origin, path, state }: LogRow): WatchedLog | null {
  try {
    return readWatchedLog(state);
  } catch {
    throw new DamagedLogError(origin, path);
  }
}
