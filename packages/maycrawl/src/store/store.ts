/**
 * What a store of robots.txt answers must do. There are several, and one suite of tests that all of them pass: in memory, in a
 * file, in a database that a fleet shares.
 *
 * @module
 */
import type { StoreEvent } from './events.ts';
import type { Failure, GoodAnswer, OriginHistory } from './history.ts';

/** Keeps the histories of origins. An origin is a string such as `https://example.com`, of any length. */
export interface RobotsStore {
  /** What is known of an origin; `undefined` if nothing is. */
  get(origin: string): Promise<OriginHistory | undefined>;
  /**
   * Keeps a good answer, which ends an outage. When this resolves, it is kept. An answer that is older than the one that is
   * known changes nothing.
   *
   * @returns what is known then.
   */
  putAnswer(origin: string, answer: GoodAnswer): Promise<OriginHistory>;
  /**
   * Keeps one more failure. Two that come at the same time both count. One from before the last good answer changes nothing.
   *
   * @returns what is known then.
   */
  recordFailure(origin: string, failure: Failure): Promise<OriginHistory>;
  /** Origins in the order of their code units, those behind `after`, at most `limit`. */
  list(limit: number, after?: string): Promise<string[]>;
  /** The last events of an origin, the newest first, at most `KEPT_EVENTS`. */
  events(origin: string): Promise<StoreEvent[]>;
  /** Forgets an origin, or all. @returns how many there were. */
  delete(origin?: string): Promise<number>;
  /**
   * Takes the right to fetch an origin, for all who share the store: nobody else gets it before it is given back or has run
   * out. Who has it can take it again, for longer.
   *
   * @param owner - who takes it: a name that nobody else has.
   * @param until - when it runs out.
   * @param now - the time, from the same clock.
   * @returns whether it was free.
   */
  lease(origin: string, owner: string, until: number, now: number): Promise<boolean>;
  /** Gives the right back, if the owner still has it. */
  release(origin: string, owner: string): Promise<void>;
  /** Ends the use of the store. It must not be used any more. */
  close(): Promise<void>;
}

/** A store cannot be used. The `code` is stable, the `cause` is what was thrown. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: 'store-unavailable' | 'store-from-the-future' | 'store-unreadable';

  constructor(code: StoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
