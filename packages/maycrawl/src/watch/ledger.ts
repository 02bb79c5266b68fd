/**
 * What is known of the sites that are watched: which are due, what they answered, what happened.
 *
 * @module
 */

import { fromStored } from '@maycrawl/client/origins';
import type { Transaction } from 'kysely';
import * as attempts from './attempts.ts';
import { contentsOf, hashOf, keepContent } from './contents.ts';
import { correctTimes, lockDeleting, type WatchDatabase } from './database.ts';
import type { Holds } from './meaning.ts';
import {
  type CheckResult,
  type ClaimedSite,
  recordCheck,
  recordSetAside,
  type SetAsideResult,
} from './recording.ts';
import { type KeptText, SettingsError, type SiteSettings } from './site.ts';
import type { EventRow, SiteRow, Tables, VersionRow } from './tables.ts';

/** Rows of one statement. */
const CHUNK = 500;

/** The tables. */
export class Ledger {
  readonly #database: WatchDatabase;

  constructor(database: WatchDatabase) {
    this.#database = database;
  }

  /** Watches sites from now on, or in another way. @param dueAt - when the site of that number is checked first. */
  async addSites(
    origins: readonly string[],
    settings: SiteSettings,
    dueAt: (index: number) => number,
  ): Promise<void> {
    const { db, targets } = this.#database;
    const written = targets.formatSettings(settings);
    await db.transaction().execute(async (transaction) => {
      for (let from = 0; from < origins.length; from += CHUNK) {
        const rows = origins.slice(from, from + CHUNK).map((origin, index) => ({
          ...{ origin, settings: written, due_at: dueAt(from + index), lease_owner: null, lease_until: null },
          ...{ checked_at: null, checks: 0, answer: null, outage: null, hash: null },
          ...{ holds: 'unknown', version: 0, damped_at: null },
          ...{ attempts: 0, attempt_of: null, set_aside_at: null },
        }));
        await transaction
          .insertInto('watch_sites')
          .values(rows)
          .onConflict((conflict) => conflict.column('origin').doUpdateSet({ settings: written }))
          .execute();
        await release(
          transaction,
          rows.map(({ origin }) => origin),
          dueAt(from),
        );
      }
    });
  }

  /** Checks sites at the next opportunity, those that are set aside too. @returns how many there are. */
  async recheckSites(origins: readonly string[], now: number): Promise<number> {
    const { db } = this.#database;
    return db.transaction().execute(async (transaction) => {
      let count = 0;
      for (let from = 0; from < origins.length; from += CHUNK) {
        const some = origins.slice(from, from + CHUNK);
        await release(transaction, some, now);
        const { numUpdatedRows } = await transaction
          .updateTable('watch_sites')
          .set({ due_at: now })
          .where('origin', 'in', some)
          .executeTakeFirstOrThrow();
        count += Number(numUpdatedRows);
      }
      return count;
    });
  }

  /** Sites that are set aside, in their order. */
  async sitesSetAside(limit: number): Promise<{ readonly origin: string; readonly since: number }[]> {
    const rows = await this.#database.db
      .selectFrom('watch_sites')
      .select(['origin', 'set_aside_at'])
      .where('set_aside_at', 'is not', null)
      .orderBy('origin')
      .limit(limit)
      .execute();
    return rows.map(({ origin, set_aside_at: since }) => ({ origin, since: since ?? 0 }));
  }

  /** Watches sites no longer, and forgets them. @returns how many there were. */
  async removeSites(origins: readonly string[]): Promise<number> {
    return this.#database.db.transaction().execute(async (transaction) => {
      await lockDeleting(this.#database, transaction);
      let count = 0;
      for (let from = 0; from < origins.length; from += CHUNK)
        count += await removeSites(transaction, origins.slice(from, from + CHUNK));
      return count;
    });
  }

  /** Sites in their order, those behind `after`. */
  async sites(limit: number, after = ''): Promise<SiteRow[]> {
    return this.#database.db
      .selectFrom('watch_sites')
      .selectAll()
      .where('origin', '>', after)
      .orderBy('origin')
      .limit(limit)
      .execute();
  }

  async site(origin: string): Promise<SiteRow | undefined> {
    return this.#database.db
      .selectFrom('watch_sites')
      .selectAll()
      .where('origin', '=', origin)
      .executeTakeFirst();
  }

  /** How many sites there are, and how many are due; when the next one is. */
  async counts(
    now: number,
  ): Promise<{ readonly sites: number; readonly due: number; readonly nextDue: number | null }> {
    const { db } = this.#database;
    const row = await db
      .selectFrom('watch_sites')
      .select(({ fn }) => [fn.countAll<number>().as('sites'), fn.min('due_at').as('nextDue')])
      .executeTakeFirstOrThrow();
    const due = await db
      .selectFrom('watch_sites')
      .select(({ fn }) => fn.countAll<number>().as('due'))
      .where('due_at', '<=', now)
      .executeTakeFirstOrThrow();
    return { sites: Number(row.sites), due: Number(due.due), nextDue: row.nextDue };
  }

  /** Corrects times that a clock has written which was ahead. @param now - milliseconds since 1970. */
  correctTimes(now: number): Promise<void> {
    return correctTimes(this.#database, now);
  }

  /** When the next site is due that nobody has taken on; `null` if there is none. */
  async nextDue(now: number): Promise<number | null> {
    const row = await this.#database.db
      .selectFrom('watch_sites')
      .select(({ fn }) => fn.min('due_at').as('next'))
      .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
      .executeTakeFirst();
    return row?.next ?? null;
  }

  /**
   * Takes on sites that are due, the longest due first: nobody else gets them before the lease has run out.
   *
   * @param owner - a name that no other worker has.
   * @param onDamaged - receives a site whose settings are damaged. It is left out, and claimed again after the lease.
   */
  async claimDue(
    owner: string,
    now: number,
    until: number,
    limit: number,
    onDamaged: (origin: string, error: SettingsError) => void = () => {},
  ): Promise<ClaimedSite[]> {
    const { db, isPostgres } = this.#database;
    const rows = await db.transaction().execute(async (transaction) => {
      const due = transaction
        .selectFrom('watch_sites')
        .select('origin')
        .where('due_at', '<=', now)
        .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
        .orderBy('due_at')
        .limit(limit);
      const claimed = await transaction
        .updateTable('watch_sites')
        .set({ lease_owner: owner, lease_until: until })
        .where('origin', 'in', isPostgres ? due.forUpdate().skipLocked() : due)
        .returningAll()
        .execute();
      const hashes = [...new Set(claimed.flatMap(({ hash }) => hash ?? []))];
      const contents = hashes.length === 0 ? [] : await contentsOf(transaction, hashes);
      return claimed.map((row) => ({
        ...row,
        body: contents.find(({ hash }) => hash === row.hash)?.bytes ?? null,
      }));
    });
    const readable = rows.flatMap((row) => {
      try {
        return [{ ...row, settings: this.settingsIn(row) }];
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error;
        onDamaged(row.origin, error);
        return [];
      }
    });
    return readable.map((row) => ({
      origin: row.origin,
      settings: row.settings,
      history: fromStored({ answer: row.answer, outage: row.outage, body: row.body }) ?? {
        answer: null,
        outage: null,
      },
      holds: row.holds as Holds,
      // A file that is lost is written again.
      hash: row.body === null ? null : row.hash,
      checks: row.checks,
      version: row.version,
      dampedAt: row.damped_at,
      attempts: row.attempts,
      attemptOf: row.attempt_of,
      setAsideAt: row.set_aside_at,
      owner,
    }));
  }

  /** The settings of a site. @throws {SettingsError} if they are damaged. */
  settingsIn(row: Pick<SiteRow, 'origin' | 'settings'>): SiteSettings {
    return this.#database.targets.parseSettings(row);
  }

  /** Writes down what came of a check, and who is to be told. @returns the event, if there is one. */
  async record(result: CheckResult): Promise<EventRow | undefined> {
    return recordCheck(this.#database, result);
  }

  /** Records that the analysis of a site starts (attempts.ts). */
  recordAttempt(site: ClaimedSite, response: string, leaseUntil: number): Promise<number | undefined> {
    return attempts.recordAttempt(this.#database, site, response, leaseUntil);
  }

  /** Withdraws an attempt that the worker broke off because it stops. */
  withdrawAttempt(site: ClaimedSite): Promise<void> {
    return attempts.withdrawAttempt(this.#database, site);
  }

  /** Gives a site back whose check has no result, until a time in milliseconds since 1970. */
  postpone(site: ClaimedSite, dueAt: number): Promise<void> {
    return attempts.postpone(this.#database, site, dueAt);
  }

  /** Sets a site aside. @returns the event; `undefined` if another worker has claimed the site meanwhile. */
  setAside(result: SetAsideResult): Promise<EventRow | undefined> {
    return recordSetAside(this.#database, result);
  }

  /** Gives sites back that were not checked: they are due at once. */
  async release(owner: string): Promise<void> {
    await this.#database.db
      .updateTable('watch_sites')
      .set({ lease_owner: null, lease_until: null })
      .where('lease_owner', '=', owner)
      .execute();
  }

  /** Events, the newest first; of one site or of all. */
  async events(limit: number, origin?: string): Promise<EventRow[]> {
    const all = this.#database.db.selectFrom('watch_events').selectAll().orderBy('at', 'desc').limit(limit);
    return (origin === undefined ? all : all.where('origin', '=', origin)).execute();
  }

  /** Versions of a site, the newest first. */
  async versions(origin: string): Promise<VersionRow[]> {
    return this.#database.db
      .selectFrom('watch_versions')
      .selectAll()
      .where('origin', '=', origin)
      .orderBy('number', 'desc')
      .execute();
  }

  /** Keeps a text for settings, which must refer to it within a day. @param now - milliseconds since 1970. */
  async keepText(name: string, text: string, now: number = Date.now()): Promise<KeptText> {
    const bytes = Buffer.from(text);
    const hash = hashOf(bytes);
    await this.#database.db
      .transaction()
      .execute((transaction) => keepContent(transaction, hash, bytes, now));
    return { name, hash };
  }

  /** A content by its hash; `undefined` if there is none. */
  async content(hash: string): Promise<Uint8Array | undefined> {
    const [row] = await contentsOf(this.#database.db, [hash]);
    return row?.bytes;
  }
}

/** Removes sites of one statement. @returns how many there were. */
async function removeSites(transaction: Transaction<Tables>, origins: readonly string[]): Promise<number> {
  // The sites first: a check that is being written down ends before, or finds that its site is gone.
  const { numDeletedRows } = await transaction
    .deleteFrom('watch_sites')
    .where('origin', 'in', origins)
    .executeTakeFirstOrThrow();
  const events = transaction.selectFrom('watch_events').select('id').where('origin', 'in', origins);
  await transaction.deleteFrom('watch_outbox').where('event', 'in', events).execute();
  await transaction.deleteFrom('watch_events').where('origin', 'in', origins).execute();
  await transaction.deleteFrom('watch_versions').where('origin', 'in', origins).execute();
  return Number(numDeletedRows);
}

/** Ends that sites are set aside: they are due then. */
async function release(
  transaction: Transaction<Tables>,
  origins: readonly string[],
  dueAt: number,
): Promise<void> {
  const sites = transaction.updateTable('watch_sites').where('origin', 'in', origins);
  await sites.set({ due_at: dueAt, set_aside_at: null }).where('set_aside_at', 'is not', null).execute();
  await sites.set({ attempts: 0, attempt_of: null }).where('attempts', '>', 0).execute();
}
