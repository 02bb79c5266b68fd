// The leases of one client: the right to fetch an origin, for all clients that share a store. A lease is short, and its owner renews it
// during the fetch. So other clients continue a few seconds after the owner's process has ended.
import { LeaseRenewal } from '../database/lease.ts';
import type { Lease } from '../store/store.ts';
import type { FailSafeStore } from './fail-safe-store.ts';

/** The duration of a lease without renewal, in milliseconds. */
export const LEASE_TIME = 4_000;
/** The pause between two attempts to take a lease is this share of the time since the first one, within these bounds. Milliseconds. */
const PAUSE_SHARE = 0.1;
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [5, 250] as const;

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

  /**
   * Resolves when it is time to try again to take the lease of another client.
   *
   * @param since - the first attempt (`performance.now()`).
   * @param shortest - milliseconds.
   */
  async wait(since: number, shortest: number = SHORTEST_PAUSE): Promise<void> {
    const pause = (performance.now() - since) * PAUSE_SHARE;
    const bounded = Math.max(Math.min(Math.max(pause, SHORTEST_PAUSE), LONGEST_PAUSE), shortest);
    await new Promise((resolve) => setTimeout(resolve, bounded));
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
