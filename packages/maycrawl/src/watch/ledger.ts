/**
 * What is known of the sites that are watched: which are due, what they answered, what happened.
 *
 * @module
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { OriginHistory } from '../store/history.ts';
import { fromStored, toStored } from '../store/stored.ts';
import type { WatchDatabase } from './database.ts';
import type { Holds, Meaning } from './meaning.ts';
import type { KeptText, SiteSettings } from './site.ts';
import type { EventRow, SiteRow, Tables, VersionRow } from './tables.ts';

/** A site whose check somebody has taken on. */
export interface ClaimedSite {
  readonly origin: string;
  readonly settings: SiteSettings;
  readonly history: OriginHistory;
  readonly holds: Holds;
  readonly checks: number;
  readonly version: number;
  readonly dampedAt: number | null;
  /** Who has taken it on. */
  readonly owner: string;
}

/** What came of a check. */
export interface CheckResult {
  readonly site: ClaimedSite;
  readonly at: number;
  readonly history: OriginHistory;
  readonly holds: Holds;
  readonly meaning: Meaning | undefined;
  readonly dueAt: number;
}

/** Within this time so many changes are told; further ones are only kept, until there was none for as long. */
const DAMPING = { changes: 6, time: 3_600_000 } as const;

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
    const { db } = this.#database;
    const written = JSON.stringify(settings);
    await db.transaction().execute(async (transaction) => {
      for (let from = 0; from < origins.length; from += CHUNK) {
        const rows = origins.slice(from, from + CHUNK).map((origin, index) => ({
          ...{ origin, settings: written, due_at: dueAt(from + index), lease_owner: null, lease_until: null },
          ...{ checked_at: null, checks: 0, answer: null, outage: null, hash: null },
          ...{ holds: 'unknown', version: 0, damped_at: null },
        }));
        await transaction
          .insertInto('watch_sites')
          .values(rows)
          .onConflict((conflict) => conflict.column('origin').doUpdateSet({ settings: written }))
          .execute();
      }
    });
  }

  /** Watches sites no longer, and forgets them. @returns how many there were. */
  async removeSites(origins: readonly string[]): Promise<number> {
    return this.#database.db.transaction().execute(async (transaction) => {
      const events = transaction.selectFrom('watch_events').select('id').where('origin', 'in', origins);
      await transaction.deleteFrom('watch_outbox').where('event', 'in', events).execute();
      await transaction.deleteFrom('watch_events').where('origin', 'in', origins).execute();
      await transaction.deleteFrom('watch_versions').where('origin', 'in', origins).execute();
      const { numDeletedRows } = await transaction
        .deleteFrom('watch_sites')
        .where('origin', 'in', origins)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
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
   */
  async claimDue(owner: string, now: number, until: number, limit: number): Promise<ClaimedSite[]> {
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
    return rows.map((row) => ({
      origin: row.origin,
      settings: JSON.parse(row.settings) as SiteSettings,
      history: fromStored({ answer: row.answer, outage: row.outage, body: row.body }) ?? {
        answer: null,
        outage: null,
      },
      holds: row.holds as Holds,
      checks: row.checks,
      version: row.version,
      dampedAt: row.damped_at,
      owner,
    }));
  }

  /**
   * Writes down what came of a check, and who is to be told, all at once. Nothing is written if somebody else has taken the
   * site on meanwhile: then it is that one's check which counts.
   *
   * @returns the event, if there is one.
   */
  async record(result: CheckResult): Promise<EventRow | undefined> {
    const { site, at, history, holds, dueAt } = result;
    const { origin, owner, settings } = site;
    return this.#database.db
      .transaction()
      .execute(async (transaction) => {
        const { answer, outage, body } = toStored(history);
        const hash = body === null ? null : hashOf(body);
        if (hash !== null && body !== null) await keep(transaction, hash, body);
        const version = await this.#see(transaction, result, hash);
        const event = await eventOf(transaction, result, version);
        const { numUpdatedRows } = await transaction
          .updateTable('watch_sites')
          .set({
            ...{
              answer,
              outage,
              hash,
              holds,
              version,
              checked_at: at,
              checks: site.checks + 1,
              due_at: dueAt,
            },
            ...{ lease_owner: null, lease_until: null },
            damped_at: event === undefined ? site.dampedAt : event.damped === 1 ? at : null,
          })
          .where('origin', '=', origin)
          .where('lease_owner', '=', owner)
          .executeTakeFirstOrThrow();
        if (Number(numUpdatedRows) === 0) throw new TakenOver();
        if (event === undefined) return undefined;
        await transaction.insertInto('watch_events').values(event).execute();
        const targets = event.damped === 1 ? [] : [...new Set(settings.notify)];
        if (targets.length > 0)
          await transaction
            .insertInto('watch_outbox')
            .values(
              targets.map((target) => ({
                ...{
                  event: event.id,
                  target,
                  next_at: at,
                  attempts: 0,
                  lease_owner: null,
                  lease_until: null,
                },
                ...{ delivered_at: null, error: null, dropped_at: null },
              })),
            )
            .execute();
        return event;
      })
      .catch((error: unknown) => {
        if (error instanceof TakenOver) return undefined;
        throw error;
      });
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

  /** Keeps a text that belongs to settings. */
  async keepText(name: string, text: string): Promise<KeptText> {
    const bytes = Buffer.from(text);
    const hash = hashOf(bytes);
    await this.#database.db.transaction().execute((transaction) => keep(transaction, hash, bytes));
    return { name, hash };
  }

  /** A content by its hash; `undefined` if there is none. */
  async content(hash: string): Promise<Uint8Array | undefined> {
    const [row] = await contentsOf(this.#database.db, [hash]);
    return row?.bytes;
  }

  /** The number of the version that a check has seen: a new one, or that of before. */
  async #see(
    transaction: Transaction<Tables>,
    { site, at, history }: CheckResult,
    hash: string | null,
  ): Promise<number> {
    const { answer, outage } = history;
    const kind = outage !== null ? 'unreachable' : (answer?.kind ?? 'unreachable');
    const seen = { kind, hash: kind === 'found' ? hash : null } as const;
    const { origin } = site;
    const last = await transaction
      .selectFrom('watch_versions')
      .select(['number', 'kind', 'hash', 'checks'])
      .where('origin', '=', origin)
      .where('number', '=', site.version)
      .executeTakeFirst();
    if (last !== undefined && last.kind === seen.kind && last.hash === seen.hash) {
      await transaction
        .updateTable('watch_versions')
        .set({ last_seen: at, checks: last.checks + 1 })
        .where('origin', '=', origin)
        .where('number', '=', last.number)
        .execute();
      return last.number;
    }
    const number = site.version + 1;
    const { status = null, code = null, reason = null, hops = [] } = outage ?? answer ?? {};
    const headers = outage === null ? (answer?.headers ?? null) : null;
    const facts = JSON.stringify({ status, code, reason, headers, hops });
    const row = { origin, number, ...seen, facts, first_seen: at, last_seen: at, checks: 1 };
    await transaction.insertInto('watch_versions').values(row).execute();
    return number;
  }
}

/** Somebody else has taken the site on. */
class TakenOver extends Error {}

/** The event of a check; damped if there were too many of late, and one that tells so when it has become quiet. */
async function eventOf(
  transaction: Transaction<Tables>,
  { site, at, meaning, holds }: CheckResult,
  version: number,
): Promise<EventRow | undefined> {
  const { origin, dampedAt } = site;
  const base = { id: randomUUID(), origin, version, at };
  if (meaning === undefined) {
    if (dampedAt === null || at - dampedAt < DAMPING.time) return undefined;
    const title = `${origin}: quiet again after many changes; ${holds === 'rules' ? 'there is a file' : holds}`;
    return { ...base, kind: 'settled', severity: 'notice', title, text: '', details: '{}', damped: 0 };
  }
  const { kind, severity, title, text, details } = meaning;
  const { recent } = await transaction
    .selectFrom('watch_events')
    .select(({ fn }) => fn.countAll<number>().as('recent'))
    .where('origin', '=', origin)
    .where('at', '>', at - DAMPING.time)
    .executeTakeFirstOrThrow();
  const damped = Number(recent) >= DAMPING.changes ? 1 : 0;
  return {
    ...base,
    kind,
    severity,
    title: `${origin}: ${title}`,
    text,
    details: JSON.stringify(details),
    damped,
  };
}

async function keep(transaction: Transaction<Tables>, hash: string, bytes: Uint8Array): Promise<void> {
  await transaction
    .insertInto('watch_contents')
    .values({ hash, bytes: Buffer.from(bytes) })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

function contentsOf(
  db: WatchDatabase['db'],
  hashes: readonly string[],
): Promise<{ readonly hash: string; readonly bytes: Uint8Array }[]> {
  return db.selectFrom('watch_contents').selectAll().where('hash', 'in', hashes).execute();
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
