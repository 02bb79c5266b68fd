// Invalidates stored responses (RFC 9111 section 4.4): they must be revalidated before they are used again.
//
// Nothing is deleted. Without the last response, an outage would allow all URLs after some hours, where the rules of that response would have
// applied; without the history of an outage, it would begin anew.
//
// Instances that share a store learn of it by a journal: an entry of the store whose file is a list, which each instance reads from time to time.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_HEADERS, timeSlices, toStale } from '@maycrawl/client/internal';
import { Problem } from '../http/problems.ts';
import type { ServiceStore } from './private-partition.ts';

/** Milliseconds between two reads of the journal. */
export const JOURNAL_INTERVAL = 5_000;
/** The maximum number of origins that one request invalidates. */
export const MAX_INVALIDATED = 1_000;
/** The key of the journal. No origin is equal to it. */
const JOURNAL = 'invalidations:';
/** Items in the journal. With the longest target they fit in the largest file of an entry. */
const MAX_ITEMS = 100;
/** The longest origin or prefix in characters. */
export const MAX_TARGET = 2_048;
/** Milliseconds of a lease, and for which the journal is waited for. */
const LEASE = 10_000;
const JOURNAL_PAUSE = 20;

/** An origin, or the beginning of origins. */
export type InvalidationTarget = { readonly origin: string } | { readonly prefix: string };

/** The number of origins by what was done, and where to continue. */
export interface Invalidated {
  /** Origins whose response must be revalidated. */
  readonly invalidated: number;
  /** Origins in an outage, which the outage policy decides. */
  readonly outages: number;
  /** Origins that an instance is fetching: it may store what it received before. */
  readonly busy: number;
  /** The last origin of those that were looked at, if there may be more; `null` otherwise. */
  readonly next: string | null;
}

interface Item {
  readonly id: string;
  readonly target: InvalidationTarget;
}

interface InvalidationOptions {
  readonly entries: ServiceStore;
  /** Makes responses in memory stale. */
  readonly expire: (isExpired: (origin: string) => boolean) => void;
  readonly now: () => number;
}

export class Invalidation {
  readonly #options: InvalidationOptions;
  /** The last item that was applied; `undefined` before the first read. */
  #lastId: string | undefined;

  constructor(options: InvalidationOptions) {
    this.#options = options;
  }

  /**
   * Invalidates an origin, or up to {@link MAX_INVALIDATED} origins with a prefix.
   *
   * @param after - for a prefix: the last origin of the request before.
   * @throws what the store throws. Then some of the origins may be invalidated.
   * @throws {Problem} if other instances use the journal for too long.
   */
  async invalidate(target: InvalidationTarget, after?: string): Promise<Invalidated> {
    const { entries, expire } = this.#options;
    const { origins, next } =
      'origin' in target ? { origins: [target.origin], next: null } : await this.#list(target.prefix, after);
    const counts = { invalidated: 0, outages: 0, busy: 0 };
    for (const origin of origins) {
      const result = await invalidateStored(entries, origin);
      if (result !== undefined) counts[result]++;
      // Stores in memory and in SQLite do not wait for I/O.
      if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    }
    expire((origin) => isTarget(origin, target));
    await this.#addToJournal(target);
    return { ...counts, next };
  }

  /** Applies what other instances have added to the journal. @throws what the store throws. */
  async readJournal(): Promise<void> {
    const items = await this.#readItems();
    const last = items.findIndex(({ id }) => id === this.#lastId);
    const added = items.slice(last + 1);
    if (added.length === 0) return;
    // If the last item is no longer there, others are not there either. A response that is fresh in the store is read from it.
    const isKnown = last >= 0;
    this.#options.expire((origin) => !isKnown || added.some(({ target }) => isTarget(origin, target)));
    this.#lastId = added.at(-1)?.id;
  }

  async #list(
    prefix: string,
    after: string | undefined,
  ): Promise<{ readonly origins: readonly string[]; readonly next: string | null }> {
    const { entries } = this.#options;
    // The list begins behind a text, which may itself be an origin.
    const first = after === undefined ? [prefix] : [];
    const start = after !== undefined && after > prefix ? after : prefix;
    const listed = await entries.list(MAX_INVALIDATED, start);
    const found = listed.filter((origin) => origin.startsWith(prefix));
    const isComplete = listed.length < MAX_INVALIDATED || found.length < listed.length;
    return { origins: [...first, ...found], next: isComplete ? null : (found.at(-1) ?? null) };
  }

  async #readItems(): Promise<Item[]> {
    const history = await this.#options.entries.get(JOURNAL);
    const { bytes } = history?.response ?? {};
    return bytes === undefined ? [] : (JSON.parse(Buffer.from(bytes).toString()) as Item[]);
  }

  async #addToJournal(target: InvalidationTarget): Promise<void> {
    const { entries, now } = this.#options;
    const owner = randomUUID();
    const giveUpAt = performance.now() + LEASE;
    while (!(await entries.lease(JOURNAL, owner, LEASE))) {
      if (performance.now() >= giveUpAt)
        throw new Problem('overloaded', 'other instances could not be notified', { 'retry-after': '1' });
      await sleep(JOURNAL_PAUSE);
    }
    try {
      const items = [...(await this.#readItems()), { id: randomUUID(), target }].slice(-MAX_ITEMS);
      const at = now();
      const response = {
        ...({ kind: 'successful', fetchedAt: at, staleAt: at } as const),
        ...{ status: null, code: null, message: null, headers: NO_HEADERS, hops: [], timings: { total: 0 } },
        bytes: Buffer.from(JSON.stringify(items)),
      };
      await entries.record(JOURNAL, { response }, owner);
    } finally {
      await entries.release(JOURNAL, owner);
    }
  }
}

/** Invalidates one response in the store. @returns what was done; `undefined` without a response. */
async function invalidateStored(
  entries: ServiceStore,
  origin: string,
): Promise<'invalidated' | 'outages' | 'busy' | undefined> {
  const owner = randomUUID();
  // With the lease no failure is stored meanwhile, which the response would end.
  if (!(await entries.lease(origin, owner, LEASE))) return 'busy';
  try {
    const { response = null, outage = null } = (await entries.get(origin)) ?? {};
    if (outage !== null) return 'outages';
    if (response === null) return undefined;
    await entries.record(origin, { response: toStale(response) }, owner);
    return 'invalidated';
  } finally {
    await entries.release(origin, owner);
  }
}

function isTarget(origin: string, target: InvalidationTarget): boolean {
  return 'origin' in target ? origin === target.origin : origin.startsWith(target.prefix);
}
