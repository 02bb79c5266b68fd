// The repository of scheduled audits: which sites are audited, when, and by which worker.
import { type Sql, sql } from '@maycrawl/client/internal';
import type { Impact } from '../analysis/impact/impact-types.ts';
import type { SiteSettings } from '../site.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { readSettings, recordImpacts } from '../storage/events.ts';
import { getLeaseEnd, insertInto, isFree, skipLocked, splitIntoChunks, toSqlList } from '../storage/rows.ts';
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

export class AuditRepository {
  readonly #database: WatchDatabase;

  constructor(database: WatchDatabase) {
    this.#database = database;
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
  async claim(owner: string, now: number): Promise<ClaimedAudit | undefined> {
    const found = await this.#database.db.transaction(async (transaction) => {
      const due = sql`select origin from watch_audits where due_at <= ${now} and ${isFree(this.#database)}
                      order by due_at limit 1 ${skipLocked(transaction)}`;
      const [row] = await transaction.all<AuditRow>(
        sql`update watch_audits set lease_owner = ${owner}, lease_until = ${getLeaseEnd(this.#database)}
            where origin in (${due}) returning *`,
      );
      return row && { row, site: await readSettings(transaction, row.origin) };
    });
    if (found === undefined) return undefined;
    const { row, site } = found;
    const { origin, run, attempts, failure, started_at: startedAt } = row;
    const settings = readAuditSettings(row.settings);
    try {
      if (settings === null || site === undefined) throw new DamagedAuditError(origin);
      const siteSettings = this.#database.targets.parseSettings(site);
      return { origin, settings, site: siteSettings, run, startedAt, attempts, failure, owner };
    } catch (error) {
      await this.#release({ origin, owner }, sql`due_at = ${now + DAMAGE_PAUSE},`);
      throw error;
    }
  }

  /** Renews the claim of an owner. */
  async renew(owner: string): Promise<void> {
    await this.#database.renewals.run(
      sql`update watch_audits set lease_until = ${getLeaseEnd(this.#database)} where lease_owner = ${owner}`,
    );
  }

  /** Records the beginning of an attempt at a run. @returns whether the worker still has the audit. */
  async recordAttempt(
    { origin, owner }: ClaimedAudit,
    run: string,
    startedAt: number,
    attempts: number,
  ): Promise<boolean> {
    const count = await this.#database.db.run(
      sql`update watch_audits set run = ${run}, started_at = ${startedAt}, attempts = ${attempts}
          where origin = ${origin} and lease_owner = ${owner}`,
    );
    return count > 0;
  }

  /** Releases an audit whose worker stops: its run continues later, and the attempt does not count. */
  async release(audit: ClaimedAudit): Promise<void> {
    await this.#release(audit, sql`attempts = ${audit.attempts},`);
  }

  /** Releases an audit until a time in milliseconds since 1970. @param attempts - at its run, which did not end. */
  async postpone(
    audit: Pick<ClaimedAudit, 'origin' | 'owner'>,
    dueAt: number,
    attempts: number,
  ): Promise<void> {
    await this.#release(audit, sql`due_at = ${dueAt}, attempts = ${attempts},`);
  }

  /**
   * Records the end of a run, its events and their notifications, in one transaction. Nothing is recorded if another worker has claimed
   * the audit meanwhile.
   *
   * @returns the events.
   */
  async record({ origin, owner }: ClaimedAudit, result: AuditResult): Promise<EventRow[]> {
    const { at, run, failure, impacts, dueAt } = result;
    return this.#database.db.transaction(async (transaction) => {
      const count = await transaction.run(
        sql`update watch_audits set run = null, started_at = null, attempts = 0, last_run = ${run}, last_at = ${at},
              failure = ${failure}, due_at = ${dueAt}, lease_owner = null, lease_until = null
            where origin = ${origin} and lease_owner = ${owner}`,
      );
      return count === 0 ? [] : recordImpacts(transaction, this.#database.targets, { origin, at, impacts });
    });
  }

  /** Returns when the next audit is due that no worker has claimed; `null` if every audit is claimed. */
  async nextDue(): Promise<number | null> {
    const row = await this.#database.db.get<{ next: number | null }>(
      sql`select min(due_at) as next from watch_audits where ${isFree(this.#database)}`,
    );
    return row?.next ?? null;
  }

  async #release({ origin, owner }: Pick<ClaimedAudit, 'origin' | 'owner'>, changes: Sql): Promise<void> {
    await this.#database.db.run(
      sql`update watch_audits set ${changes} lease_owner = null, lease_until = null
          where origin = ${origin} and lease_owner = ${owner}`,
    );
  }
}

/** From the attempt to read damaged settings to the next one, in milliseconds. */
const DAMAGE_PAUSE = 3_600_000;
