// The repository of scheduled audits: which sites are audited, when, and by which worker.
import { sql } from '@maycrawl/client/internal';
import type { Impact } from '../analysis/impact/impact-types.ts';
import { ScheduledRows } from '../scheduled/scheduled-rows.ts';
import type { SiteSettings } from '../site.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { insertInto, splitIntoChunks, toSqlList } from '../storage/rows.ts';
import type { AuditRow, EventRow } from '../storage/tables.ts';
import { type AuditSettings, DamagedAuditError, readAuditSettings } from './audit-settings.ts';

/** A scheduled audit that a worker has claimed. */
export interface ClaimedAudit {
  readonly origin: string;
  readonly settings: AuditSettings;
  /** Those of the monitored site. */
  readonly site: SiteSettings;
  /** The name of the run that was begun and has not ended. */
  readonly run: string | null;
  /** When that run was begun, in milliseconds since 1970. */
  readonly startedAt: number | null;
  /** The number of attempts at this run that did not end. */
  readonly attempts: number;
  /** Why the last run did not count, in a sentence; `null` if it did. */
  readonly failure: string | null;
  readonly owner: string;
}

export interface AuditResult {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly run: string;
  readonly failure: string | null;
  readonly impacts: readonly Impact[];
  readonly dueAt: number;
}

type AuditKey = Pick<ClaimedAudit, 'origin'>;

export class AuditRepository {
  readonly #database: WatchDatabase;
  readonly #rows: ScheduledRows<AuditKey>;

  constructor(database: WatchDatabase) {
    this.#database = database;
    this.#rows = new ScheduledRows(database, 'watch_audits', ['origin']);
  }

  /** Schedules audits of monitored sites, or changes how they are audited. @param dueAt - milliseconds since 1970. */
  async schedule(
    origins: readonly string[],
    settings: (origin: string) => AuditSettings,
    dueAt: number,
  ): Promise<void> {
    await this.#database.db.transaction(async (transaction) => {
      for (const some of splitIntoChunks(origins)) {
        const rows = some.map((origin) => ({
          ...{ origin, settings: JSON.stringify(settings(origin)), due_at: dueAt, attempts: 0 },
        }));
        await transaction.run(
          sql`${insertInto('watch_audits', rows)} on conflict (origin) do update
              set settings = excluded.settings, due_at = excluded.due_at, attempts = 0, run = null, started_at = null`,
        );
      }
    });
  }

  /** Ends the audits of sites. Their runs stay. @returns the number of sites that were audited. */
  async unschedule(origins: readonly string[]): Promise<number> {
    let count = 0;
    for (const some of splitIntoChunks(origins))
      count += await this.#database.db.run(sql`delete from watch_audits where origin in ${toSqlList(some)}`);
    return count;
  }

  /** Reads all scheduled audits, by origin. */
  async list(): Promise<AuditRow[]> {
    return this.#database.db.all<AuditRow>(sql`select * from watch_audits order by origin`);
  }

  /** Reads the scheduled audit of a site; `undefined` if the site has no schedule. */
  async find(origin: string): Promise<AuditRow | undefined> {
    return this.#database.db.get<AuditRow>(sql`select * from watch_audits where origin = ${origin}`);
  }

  /**
   * Claims the audit that is due first: no other worker gets it before the lease has expired.
   *
   * @throws {DamagedAuditError} if its settings are damaged; it is due again after an hour then.
   */
  claim(owner: string, now: number): Promise<ClaimedAudit | undefined> {
    return this.#rows.claim(owner, now, (row: AuditRow, site) => {
      const { origin, run, attempts, failure, started_at: startedAt } = row;
      const settings = readAuditSettings(row.settings);
      if (settings === null || site === undefined) throw new DamagedAuditError(origin);
      return { origin, settings, site, run, startedAt, attempts, failure, owner };
    });
  }

  /** Renews the claim of an owner. */
  renew(owner: string): Promise<void> {
    return this.#rows.renew(owner);
  }

  /** Records the beginning of an attempt at a run. @returns whether the worker still has the audit. */
  recordAttempt(audit: ClaimedAudit, run: string, startedAt: number, attempts: number): Promise<boolean> {
    return this.#rows.change(audit, audit.owner, { run, started_at: startedAt, attempts });
  }

  /** Releases an audit whose worker stops: its run continues later, and the attempt does not count. */
  async release(audit: ClaimedAudit): Promise<void> {
    await this.#rows.release(audit, audit.owner, { attempts: audit.attempts });
  }

  /** Releases an audit until a time in milliseconds since 1970. @param attempts - at its run, which did not end. */
  async postpone(audit: ClaimedAudit, dueAt: number, attempts: number): Promise<void> {
    await this.#rows.release(audit, audit.owner, { due_at: dueAt, attempts });
  }

  /** Records the end of a run and its events, unless another worker has claimed the audit meanwhile. @returns the events. */
  record(audit: ClaimedAudit, result: AuditResult): Promise<EventRow[]> {
    const { at, run, failure, dueAt } = result;
    const ended = { run: null, started_at: null, attempts: 0, last_run: run, last_at: at };
    return this.#rows.end(audit, audit.owner, { ...ended, failure, due_at: dueAt }, result);
  }

  /** Returns when the next audit is due that no worker has claimed; `null` if every audit is claimed. */
  nextDue(): Promise<number | null> {
    return this.#rows.nextDue();
  }
}
