// What a store of robots.txt responses does. There are several, and one suite of tests that all of them pass: in memory, in a file, in
// a database that a fleet shares.

import type { OriginHistory } from '../robots/history.ts';
import type { Observation } from '../robots/observation.ts';
import type { StoreEvent } from '../robots/store-event.ts';
import type { StoreLimits } from './limits.ts';

/** The right of one client to fetch an origin. */
export interface Lease {
  readonly origin: string;
  /** A name that no other client has. */
  readonly owner: string;
}

/** How much is in a store, and what this process did with it. */
export interface StoreStats {
  readonly origins: number;
  /** Bytes of all entries, about. */
  readonly bytes: number;
  /** Entries that this process has evicted since it opened the store. */
  readonly evictions: number;
  /** Calls that failed in this process since it opened the store. */
  readonly failures: number;
}

/** What pruning removed, and what is left. */
export interface Pruned {
  readonly removed: number;
  readonly removedBytes: number;
  readonly origins: number;
  readonly bytes: number;
}

/** Size and last use of one entry. */
export interface EntryUsage {
  /** Bytes of the entry with its events, about. */
  readonly bytes: number;
  /** When a caller used it last, to within an hour. Milliseconds since 1970. */
  readonly usedAt: number;
}

/**
 * Stores the histories of origins. An origin is a string such as `https://example.com`, of any length. A client needs the first two
 * methods; the others make a store sharable, listable and bounded.
 */
export interface RobotsStore {
  /** The history of an origin; `undefined` without one. */
  get(origin: string): Promise<OriginHistory | undefined>;
  /**
   * Stores the result of a fetch: a response, which ends an outage, or one more failure (`applyObservation`). When this resolves,
   * it is stored. Two failures that come at the same time should both count.
   *
   * @param owner - who has the lease of the origin; the lease ends in the same step. If another owner has had it meanwhile, nothing
   *   changes: what that owner stored is newer. Without an owner, an observation that is older than the stored response changes nothing.
   * @returns the history after the change.
   */
  record(origin: string, observation: Observation, owner?: string): Promise<OriginHistory>;
  /** Deletes an origin, or all. @returns how many there were. */
  delete(origin?: string): Promise<number>;
  /**
   * Takes the right to fetch an origin, for all who share the store: no other client gets it before the owner releases it or it
   * expires. The owner can take it again, which renews it. The store's own clock decides, never the wall clock of a client. Clients
   * that share a store without leases may fetch an origin at the same time.
   *
   * @param milliseconds - when it expires; at most `MAX_LEASE`.
   * @returns whether it was free. If it was not, the caller tries again after a while.
   */
  lease?(origin: string, owner: string, milliseconds: number): Promise<boolean>;
  /** Renews leases as far as their owners still have them. */
  renew?(leases: readonly Lease[], milliseconds: number): Promise<void>;
  /** Releases a lease, if the owner still has it. */
  release?(origin: string, owner: string): Promise<void>;
  /** Origins in the order of their code units, those behind `after`, at most `limit`. */
  list?(limit: number, after?: string): Promise<string[]>;
  /** The last events of an origin, the newest first, at most `MAX_EVENTS`. */
  events?(origin: string): Promise<StoreEvent[]>;
  /** The number of entries that this process has evicted since it opened the store. */
  readonly evictions?: number;
  /** How much is in the store. */
  stats?(): Promise<StoreStats>;
  /** @throws {DatabaseError} if the store cannot be used: no space, deleted or replaced, read-only, no connection. */
  check?(): Promise<void>;
  /**
   * Evicts what is over the limits and what no caller has used for long, in small steps.
   *
   * @param limits - instead of those that the store was opened with.
   */
  prune?(limits?: Partial<StoreLimits>): Promise<Pruned>;
  /** Size and last use of an entry; `undefined` without one. */
  getUsage?(origin: string): Promise<EntryUsage | undefined>;
  /** Ends the use of the store. It must not be used any more. */
  close?(): Promise<void>;
}

/** What clients use of a store. */
export type ClientStore = Pick<RobotsStore, 'get' | 'record' | 'lease' | 'renew' | 'release' | 'evictions'>;

/** A store that can do all that a store may do. */
export type FullStore = Required<RobotsStore>;
