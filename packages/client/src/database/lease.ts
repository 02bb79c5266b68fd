// Leases: the right of one process to do something, for all processes that share a database. A lease is short, and its owner renews it. So
// others go on soon after the owner's process has ended, however long the work may take.
import { rawSql, type Sql, type SqlConnection, sql } from './sql.ts';

/**
 * The longest lease, in milliseconds. One that expires later than this was taken by a clock that was wrong, or by a machine before it
 * was started again: it counts as expired.
 */
export const MAX_LEASE = 60_000;

/** The time of a PostgreSQL server, in milliseconds since 1970. */
const SERVER_TIME = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** How long a process has its work after its last renewal, unless the caller has another time. Milliseconds. */
const LEASE_TIME = 30_000;

/** Number of renewals during the time of a lease. */
const RENEWALS = 4;

/**
 * SQL: whether a lease runs.
 *
 * @param until - the column of the time at which it expires; it may be null.
 * @param now - SQL of the time.
 */
export function isLeasedAt(until: string, now: Sql): Sql {
  const column = rawSql(until);
  return sql`(coalesce(${column}, 0) > ${now} and ${column} - ${rawSql(String(MAX_LEASE))} <= ${now})`;
}

/**
 * SQL: the time that all owners of leases in a database share. For PostgreSQL it is the server's; for a SQLite file the time since the
 * machine was started. The wall clocks of the owners do not matter.
 */
export function getLeaseTime({ kind }: Pick<SqlConnection, 'kind'>): Sql {
  return kind === 'postgres' ? rawSql(SERVER_TIME) : sql`${getMonotonicTime()}`;
}

/** Milliseconds since the machine was started. A change of its wall clock does not change it. */
function getMonotonicTime(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Renews what a process has leased, until it is stopped. */
export class LeaseRenewal {
  readonly #renew: () => Promise<unknown>;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #isRenewing = false;

  /**
   * @param renew - renews all leases. If it fails, the next renewal is the next attempt.
   * @param leaseTime - how long a lease lasts, in milliseconds.
   */
  constructor(renew: () => Promise<unknown>, leaseTime: number = LEASE_TIME) {
    this.#renew = renew;
    this.#interval = leaseTime / RENEWALS;
  }

  /** Starts, unless it has started. The timer does not keep the process alive. */
  start(): void {
    this.#timer ??= setInterval(() => void this.#run(), this.#interval).unref();
  }

  /** Stops renewing. The leases end by themselves. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      await this.#renew();
    } catch {
      // The next statement of the owner meets the error.
    } finally {
      this.#isRenewing = false;
    }
  }
}
