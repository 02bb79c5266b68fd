// Leases in Redis: a key with a time to live, which the clock of the server decides. Its value is the owner.
import { MAX_LEASE } from '../../database/lease.ts';
import type { Lease } from '../store.ts';
import type { RedisCommands } from './redis-client.ts';
import type { RedisKeys } from './redis-keys.ts';
import { RELEASE_LEASE, RENEW_LEASE, TAKE_LEASE } from './redis-scripts.ts';

/** Takes, renews and ends leases. */
export class RedisLeases {
  readonly #commands: RedisCommands;
  readonly #keys: RedisKeys;

  constructor(commands: RedisCommands, keys: RedisKeys) {
    this.#commands = commands;
    this.#keys = keys;
  }

  /** Takes a lease, or renews it. @returns whether it was free. */
  async take(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    const args = [owner, Math.ceil(milliseconds), MAX_LEASE];
    const reply = await this.#commands.run(TAKE_LEASE, [this.#keys.getLease(origin)], args);
    // A client of ioredis with the option `stringNumbers` returns texts.
    return String(reply) === '1';
  }

  /** Renews leases as far as their owners still have them. */
  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    const lifetime = Math.ceil(milliseconds) + MAX_LEASE;
    await Promise.all(
      leases.map(({ origin, owner }) =>
        this.#commands.run(RENEW_LEASE, [this.#keys.getLease(origin)], [owner, lifetime]),
      ),
    );
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#commands.run(RELEASE_LEASE, [this.#keys.getLease(origin)], [owner]);
  }
}
