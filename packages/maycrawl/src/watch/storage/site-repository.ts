// The repository of monitored sites, with their versions, events and contents.

import { fromStored, type Sql, sql } from '@maycrawl/client/internal';
import { readSiteCheck, readUnconfirmed } from '../confirmation.ts';
import { DamagedSiteError, type SiteSettings, type StoredText } from '../site.ts';
import { postpone, RETRY_PAUSE, releaseSetAside } from './attempts.ts';
import { findContents, storeText } from './contents.ts';
import { lockDeleting, type WatchDatabase } from './database.ts';
import { deleteSites } from './pruning.ts';
import { type CheckResult, type ClaimedSite, recordCheck } from './recording.ts';
import { readVersions, type SizedVersionRow, type VersionRange } from './report-queries.ts';
import { getLeaseEnd, insertInto, isFree, skipLocked, splitIntoChunks, toSqlList } from './rows.ts';
import { readPolicy, requireIntactSite } from './stored-rows.ts';
import type { EventRow, SiteRow } from './tables.ts';

export class SiteRepository {
  readonly database: WatchDatabase;

  constructor(database: WatchDatabase) {
    this.database = database;
  }

  /** Adds sites, or changes their settings. @param dueAt - returns the time of the first check of a site by its index. */
  async addSites(
    origins: readonly string[],
    settings: SiteSettings,
    dueAt: (index: number) => number,
  ): Promise<void> {
    const { db, targets } = this.database;
    const written = targets.formatSettings(settings);
    await db.transaction(async (transaction) => {
      let index = 0;
      for (const some of splitIntoChunks(origins)) {
        const firstDue = dueAt(index);
        const rows = some.map((origin) => ({
          ...{ origin, settings: written, due_at: dueAt(index++), checks: 0, policy: 'unknown', version: 0 },
        }));
        const insert = insertInto('watch_sites', rows);
        await transaction.run(sql`${insert} on conflict (origin) do update set settings = excluded.settings`);
        // A site that has a shorter interval now does not wait for the end of the one before.
        const latest = firstDue + settings.every;
        await transaction.run(
          sql`update watch_sites set due_at = ${latest} where origin in ${toSqlList(some)} and due_at > ${latest}
              and set_aside_at is null`,
        );
        await releaseSetAside(transaction, some, firstDue);
      }
    });
  }

  /** Makes sites due now, also those that are set aside. @returns their number. */
  async recheckSites(origins: readonly string[], now: number): Promise<number> {
    const { db } = this.database;
    return db.transaction(async (transaction) => {
      let count = 0;
      for (const some of splitIntoChunks(origins)) {
        await releaseSetAside(transaction, some, now);
        count += await transaction.run(
          sql`update watch_sites set due_at = ${now} where origin in ${toSqlList(some)}`,
        );
      }
      return count;
    });
  }

  async sitesSetAside(limit: number): Promise<{ readonly origin: string; readonly since: number }[]> {
    const rows = await this.database.db.all<Pick<SiteRow, 'origin' | 'set_aside_at'>>(
      sql`select origin, set_aside_at from watch_sites where set_aside_at is not null order by origin limit ${limit}`,
    );
    return rows.map(({ origin, set_aside_at: since }) => ({ origin, since: since ?? 0 }));
  }

  /** Deletes sites with all their data. @returns their number. */
  async removeSites(origins: readonly string[]): Promise<number> {
    return this.database.db.transaction(async (transaction) => {
      await lockDeleting(transaction);
      let count = 0;
      for (const some of splitIntoChunks(origins)) count += await deleteSites(transaction, some);
      return count;
    });
  }

  /** Reads sites by origin, those after `after`. */
  async sites(limit: number, after = ''): Promise<SiteRow[]> {
    return this.database.db.all<SiteRow>(
      sql`select * from watch_sites where origin > ${after} order by origin limit ${limit}`,
    );
  }

  async site(origin: string): Promise<SiteRow | undefined> {
    return this.database.db.get<SiteRow>(sql`select * from watch_sites where origin = ${origin}`);
  }

  /** Counts all sites and those that are due, and returns when the next one is due. */
  async counts(
    now: number,
  ): Promise<{ readonly sites: number; readonly due: number; readonly nextDue: number | null }> {
    const { db } = this.database;
    const all = await db.get<{ sites: number; nextDue: number | null }>(
      sql`select count(*) as sites, min(due_at) as "nextDue" from watch_sites`,
    );
    const due = await db.get<{ due: number }>(
      sql`select count(*) as due from watch_sites where due_at <= ${now}`,
    );
    return { sites: all?.sites ?? 0, due: due?.due ?? 0, nextDue: all?.nextDue ?? null };
  }

  /** Returns when the next site is due that no worker has claimed; `null` if there is none. */
  async nextDue(): Promise<number | null> {
    const row = await this.database.db.get<{ next: number | null }>(
      sql`select min(due_at) as next from watch_sites where ${isFree(this.database)}`,
    );
    return row?.next ?? null;
  }

  /**
   * Claims sites that are due, the longest due first: no other worker gets them before the lease has expired.
   *
   * @param owner - a unique name of the worker.
   * @param onDamaged - receives a site whose row is damaged. It is omitted, and due again after a pause.
   */
  async claimDue(
    owner: string,
    now: number,
    limit: number,
    onDamaged?: (origin: string, error: DamagedSiteError) => void,
  ): Promise<ClaimedSite[]> {
    return this.#claim(owner, now, sql`due_at <= ${now}`, limit, onDamaged);
  }

  /** Claims one site that no worker has claimed, also if it is not due. @returns none if another worker has it. */
  async claimSite(
    owner: string,
    now: number,
    origin: string,
    onDamaged?: (origin: string, error: DamagedSiteError) => void,
  ): Promise<ClaimedSite[]> {
    return this.#claim(owner, now, sql`origin = ${origin}`, 1, onDamaged);
  }

  async #claim(
    owner: string,
    now: number,
    condition: Sql,
    limit: number,
    onDamaged: (origin: string, error: DamagedSiteError) => void = () => {},
  ): Promise<ClaimedSite[]> {
    const rows = await this.database.db.transaction(async (transaction) => {
      const due = sql`select origin from watch_sites where ${condition} and ${isFree(this.database)}
                      order by due_at limit ${limit} ${skipLocked(transaction)}`;
      const claimed = await transaction.all<SiteRow>(
        sql`update watch_sites set lease_owner = ${owner}, lease_until = ${getLeaseEnd(this.database)}
            where origin in (${due}) returning *`,
      );
      const hashes = [...new Set(claimed.flatMap(({ hash }) => hash ?? []))];
      const contents = new Map(
        (await findContents(transaction, hashes)).map(({ hash, bytes }) => [hash, bytes]),
      );
      return claimed.map((row) => ({ ...row, body: contents.get(row.hash ?? '') ?? null }));
    });
    const sites: ClaimedSite[] = [];
    for (const row of rows) {
      try {
        requireIntactSite(row);
        sites.push(this.#toClaimedSite(row, owner));
      } catch (error) {
        if (!(error instanceof DamagedSiteError)) throw error;
        onDamaged(row.origin, error);
        await postpone(this.database, [{ origin: row.origin, owner }], now + RETRY_PAUSE);
      }
    }
    return sites;
  }

  #toClaimedSite(row: SiteRow & { readonly body: Uint8Array | null }, owner: string): ClaimedSite {
    const { origin, response, outage, body, hash, checks, version } = row;
    return {
      ...{ origin, owner, settings: this.settingsIn(row), policy: readPolicy(row), checks, version },
      history: fromStored({ response, outage, body }) ?? { response: null, outage: null },
      // A file that is lost is written again.
      hash: body === null ? null : hash,
      throttledAt: row.throttled_at,
      attempts: row.attempts,
      attemptedResponse: row.attempted_response,
      setAsideAt: row.set_aside_at,
      unconfirmed: readUnconfirmed(row.unconfirmed),
      siteCheck: readSiteCheck(row.site_check),
    };
  }

  /** Parses the settings of a site. @throws {DamagedSiteError} if they are damaged. */
  settingsIn(row: Pick<SiteRow, 'origin' | 'settings'>): SiteSettings {
    return this.database.targets.parseSettings(row);
  }

  /** Records the result of a check, and its notifications. @returns the event, if there is one. */
  async record(result: CheckResult): Promise<EventRow | undefined> {
    return recordCheck(this.database, result);
  }

  async renew(owner: string, sites: readonly ClaimedSite[]): Promise<void> {
    for (const some of splitIntoChunks(sites.map(({ origin }) => origin)))
      await this.database.renewals.run(
        sql`update watch_sites set lease_until = ${getLeaseEnd(this.database)}
            where origin in ${toSqlList(some)} and lease_owner = ${owner}`,
      );
  }

  /** Releases sites that were not checked: they stay due. */
  async release(owner: string): Promise<void> {
    await this.database.db.run(
      sql`update watch_sites set lease_owner = null, lease_until = null where lease_owner = ${owner}`,
    );
  }

  /** Reads events, the newest first; of one site or of all. @param before - milliseconds since 1970: only earlier ones. */
  async events(limit: number, origin?: string, before?: number): Promise<EventRow[]> {
    const ofSite = origin === undefined ? sql`` : sql`and origin = ${origin}`;
    const earlier = before === undefined ? sql`` : sql`and at < ${before}`;
    return this.database.db.all<EventRow>(
      sql`select * from watch_events where true ${ofSite} ${earlier} order by at desc limit ${limit}`,
    );
  }

  /** Reads the versions of a site, the newest first. */
  versions(origin: string, range?: VersionRange): Promise<SizedVersionRow[]> {
    return readVersions(this.database, origin, range);
  }

  /** Stores a text for settings, which must refer to it within a day. @param now - milliseconds since 1970. */
  storeText(name: string, text: string, now: number = Date.now()): Promise<StoredText> {
    return storeText(this.database.db, name, text, now);
  }

  /** Reads a content by its hash; `undefined`: no content. */
  async content(hash: string): Promise<Uint8Array | undefined> {
    return (await findContents(this.database.db, [hash]))[0]?.bytes;
  }
}
