/**
 * Leases of one client: the right to fetch an origin, for all clients that share a store. A lease is short, and its owner renews it
 * while the fetch goes on. So other clients go on a few seconds after the owner's process has ended, however long a fetch may take.
 *
 * @module
 */
import { LeaseRenewal } from '../database/lease/lease.ts';
import type { Lease } from '../store/store.ts';
import type { FailSafeStore } from './fail-safe-store.ts';

/** How long a lease lasts without being renewed. Milliseconds. */
export const LEASE_TIME = 4_000;
/** After this time a client that waits tries to take the lease, also without notice of its release. Milliseconds. */
const WAIT_TIME = 1_000;
/** A wait takes at least this time, also with a store that returns immediately. Milliseconds. */
const MIN_WAIT = 2;

/** Takes, renews and releases leases. */
export class Leases {
  readonly #store: FailSafeStore;
  readonly #own: Map<string, Lease> = new Map();
  readonly #renewal: LeaseRenewal = new LeaseRenewal(() => this.#renew(), LEASE_TIME);

  constructor(store: FailSafeStore) {
    this.#store = store;
  }

  /** Whether the lease was free; `undefined` if the store cannot tell. From then on it is renewed until it ends. */
  async take(origin: string, owner: string): Promise<boolean | undefined> {
    const isFree = await this.#store.lease(origin, owner, LEASE_TIME);
    if (isFree) {
      this.#own.set(owner, { origin, owner });
      this.#renewal.start();
    }
    return isFree;
  }

  /** Resolves when the lease of another client may be free. */
  async wait(origin: string): Promise<void> {
    const since = performance.now();
    await this.#store.waitForRelease(origin, WAIT_TIME);
    if (performance.now() - since < MIN_WAIT) await new Promise((resolve) => setTimeout(resolve, MIN_WAIT));
  }

  /** Ends the renewal of a lease: the store has ended the lease, or {@link release} does. */
  end(owner: string): void {
    this.#own.delete(owner);
    if (this.#own.size === 0) this.#renewal.stop();
  }

  async release(origin: string, owner: string): Promise<void> {
    this.end(owner);
    await this.#store.release(origin, owner);
  }

  async #renew(): Promise<void> {
    const [first, ...others] = this.#own.values();
    if (first !== undefined) await this.#store.renew([first, ...others], LEASE_TIME);
  }
}
