// The origins in memory of this process, and their effective policies.
import { parse, type RobotsPolicy, type RobotsTxt } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { getJitter } from '../http/backoff.ts';
import { freezeHistory } from '../robots/frozen.ts';
import { type CachedResponse, getHistorySize, type OriginHistory, toStale } from '../robots/history.ts';
import { type EffectivePolicy, getEffectivePolicy } from '../robots/outage/outage-policy.ts';
import type { ResolvedOptions } from './origins-options.ts';

/** The policy of an origin now. It is immutable: callers of one origin share it. */
export interface OriginState {
  readonly origin: string;
  /** `unknown` if the origin was never fetched (`offline`), or the policy depends on an unknown fact. */
  readonly policy: RobotsPolicy;
  /** Each access to the `bytes` of the response copies them. */
  readonly history: OriginHistory;
  /** When the client fetches it again, in milliseconds since 1970. */
  readonly refreshAt: number;
}

export interface Entry {
  readonly history: OriginHistory;
  /** The parsed file of the last response; `undefined` without one. */
  readonly robots: RobotsTxt | undefined;
  /** The state while the response is fresh, and the time of its creation: the same object for each call. */
  fresh?: { readonly state: OriginState; readonly since: number };
}

/** Limits of the parsed files in memory. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 128 * 1024 * 1024;
const ENTRY_BYTES = 500;

/** Caches origins in memory, with their files parsed. */
export class OriginCache {
  readonly #options: ResolvedOptions;
  /** Returns the last result of a request for `/` of the site; `undefined` without one. */
  readonly #getSiteCheck: (origin: string) => boolean | undefined;
  readonly #entries: LRUCache<string, Entry> = new LRUCache({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ history, robots }) =>
      ENTRY_BYTES + getHistorySize(history) + (robots?.sizeInBytes ?? 0),
  });

  constructor(options: ResolvedOptions, getSiteCheck: (origin: string) => boolean | undefined) {
    this.#options = options;
    this.#getSiteCheck = getSiteCheck;
  }

  get(origin: string): Entry | undefined {
    return this.#entries.get(origin);
  }

  /** Caches a history. Parses the file if it is not the cached one. */
  set(origin: string, history: OriginHistory): Entry {
    const before = this.#entries.get(origin);
    const isSame = before !== undefined && hasSameFile(before.history.response, history.response);
    const entry = isSame
      ? { history: freezeHistory(history), robots: before.robots }
      : this.createEntry(origin, history);
    this.#entries.set(origin, entry);
    return entry;
  }

  /**
   * Makes cached responses stale, so that the next caller revalidates them. They are kept: an outage policy may need the last response.
   *
   * @param isExpired - which origins.
   */
  expire(isExpired: (origin: string) => boolean): void {
    // A copy, from the least recently used on: setting an entry makes it the most recent one.
    for (const [origin, { history, robots }] of [...this.#entries.entries()].reverse())
      if (history.response !== null && isExpired(origin))
        this.#entries.set(origin, {
          history: freezeHistory({ ...history, response: toStale(history.response) }),
          robots,
        });
  }

  /** Creates an entry without caching it. */
  createEntry(origin: string, history: OriginHistory): Entry {
    const { profile } = this.#options;
    const { response } = history;
    const isFile = response?.kind === 'successful';
    return {
      history: freezeHistory(history),
      robots: isFile ? parse(response.bytes, { profile, url: `${origin}/robots.txt` }) : undefined,
    };
  }

  getPolicy(origin: string, history: OriginHistory): EffectivePolicy {
    const { profile, now, isSiteReachable: isReachable } = this.#options;
    const isSiteReachable = isReachable?.(origin) ?? this.#getSiteCheck(origin);
    // The same jitter for all reads, so that they agree about one outage.
    return getEffectivePolicy(profile, history, { now: now(), jitter: getJitter(origin), isSiteReachable });
  }

  /** Returns whether the robots.txt must be fetched again. */
  isDue({ refreshAt, isFresh }: EffectivePolicy): boolean {
    return !isFresh && refreshAt <= this.#options.now();
  }

  getState(origin: string, entry: Entry, effective?: EffectivePolicy): OriginState {
    const { policy, refreshAt } = effective ?? this.getPolicy(origin, entry.history);
    return Object.freeze({ origin, policy: attachFile(policy, entry), history: entry.history, refreshAt });
  }
}

/** Returns whether two responses have the same file. Times do not decide: a file can change while the clock stands still. */
function hasSameFile(a: CachedResponse | null, b: CachedResponse | null): boolean {
  if (a === b) return true;
  return a !== null && b !== null && a.kind === b.kind && Buffer.compare(a.bytes, b.bytes) === 0;
}

/** Adds the file to a policy of rules. Without the file the policy is unknown. */
function attachFile(policy: EffectivePolicy['policy'], { robots }: Entry): RobotsPolicy {
  if (policy.kind !== 'rules') return policy;
  return Object.freeze(robots === undefined ? { kind: 'unknown' } : { kind: 'rules', robots });
}
