/**
 * Waiting for the release of leases in a PostgreSQL database, by LISTEN and NOTIFY. The connection that listens is opened when a caller
 * waits, and closed when none has waited for a while.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import type { PostgresClient } from '../drivers.ts';
import { ReleaseWaiters } from './release-waiters.ts';

/** The name of the channel. The payload is the key of the lease, in hexadecimal. */
const CHANNEL = 'maycrawl_release';
/**
 * Notifies all processes. The parameter is a list of keys. It is a statement of its own: PostgreSQL commits transactions with
 * notifications one after another, and one that also writes to the disk would keep all others waiting for it.
 */
export const NOTIFY: string = `SELECT pg_notify('${CHANNEL}', key) FROM unnest($1::text[]) AS released (key)`;
/** How long the connection stays without a caller that waits. Milliseconds. */
const IDLE_TIME = 10_000;
/** Releases that are remembered for a caller that is about to wait. */
const MAX_REMEMBERED = 10_000;

/** Wakes callers whose lease is released by any process. */
export class PostgresReleases {
  readonly #connect: () => Promise<PostgresClient>;
  readonly #waiters: ReleaseWaiters = new ReleaseWaiters();
  /** The number of the last notification of each key. */
  readonly #released: LRUCache<string, number> = new LRUCache({ max: MAX_REMEMBERED });
  #notifications = 0;
  #connection: Promise<PostgresClient | undefined> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param connect - opens a connection of its own. */
  constructor(connect: () => Promise<PostgresClient>) {
    this.#connect = connect;
  }

  /** The number of notifications up to now: a later one is new to a caller that tried to take a lease now. */
  get count(): number {
    return this.#notifications;
  }

  /**
   * Resolves when a lease is released, or after a number of milliseconds.
   *
   * @param since - {@link count} before the caller tried to take the lease.
   */
  async wait(key: string, milliseconds: number, since: number): Promise<void> {
    if (this.#isClosed || (this.#released.get(key) ?? 0) > since) return;
    clearTimeout(this.#idleTimer);
    const waiting = this.#waiters.wait(key, milliseconds);
    this.#connection ??= this.#listen();
    await waiting;
    if (!this.#waiters.isEmpty || this.#isClosed) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#end(), IDLE_TIME);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiters.wakeAll();
    await this.#end();
  }

  #listen(): Promise<PostgresClient | undefined> {
    const connection = this.#open(() => {
      // One that was replaced ends without effect.
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      // Without notifications each caller looks for itself.
      this.#waiters.wakeAll();
    });
    return connection;
  }

  /** @param onEnd - is called when the connection has ended or broken. */
  async #open(onEnd: () => void): Promise<PostgresClient | undefined> {
    let client: PostgresClient | undefined;
    try {
      client = await this.#connect();
      client.on('error', onEnd);
      client.on('end', onEnd);
      client.on('notification', (notification) => this.#note(notification?.payload ?? ''));
      await client.query({ text: `LISTEN ${CHANNEL}` });
      // What was released before that was not heard of.
      this.#waiters.wakeAll();
      return client;
    } catch {
      // Callers wait for their time, try again, and meet the error of the database there.
      this.#connection = undefined;
      await client?.end().catch(() => {});
      return undefined;
    }
  }

  #note(key: string): void {
    this.#released.set(key, ++this.#notifications);
    this.#waiters.wake(key);
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const connection = this.#connection;
    // A caller that waits from now on opens another one.
    this.#connection = undefined;
    const client = await connection;
    // A connection that is broken has ended. That of a server that does not respond never ends: the database closes it.
    client?.end().catch(() => {});
  }
}
