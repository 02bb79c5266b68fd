/**
 * The leases of one client: the right to fetch an origin, for all clients that share a store. A lease is short, and its owner renews it
 * during the fetch. So other clients continue a few seconds after the owner's process has ended.
 *
 * @module
 */
import { LeaseRenewal } from '../database/lease/lease.ts';
import type { Lease } from '../store/store.ts';
import type { FailSafeStore } from './fail-safe-store.ts';

/** The duration of a lease without renewal, in milliseconds. */
export const LEASE_TIME = 4_000;
/** The time after which a waiting client tries to take the lease, also without a notification. Milliseconds. */
const WAIT_TIME = 1_000;
/** The minimum duration of a wait, also with a store that returns immediately. Milliseconds. */
const MIN_WAIT = 2;

/** Takes, renews and releases leases. */
export class Leases {
  readonly #store: FailSafeStore;
  readonly #own: Map<string, Lease> = new Map();
  readonly #renewal: LeaseRenewal = new LeaseRenewal(() => this.#renew(), LEASE_TIME);

  constructor(store: FailSafeStore) {
    this.#store = store;
  }

  /** Takes a free lease, and renews it until it ends. @returns whether it was free; `undefined` if the store failed. */
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

  /** Ends the renewal of a lease that the store has ended, or that {@link release} ends. */
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
