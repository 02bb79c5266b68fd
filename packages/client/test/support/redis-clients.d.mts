import type { RedisClient } from '../../src/store/redis/redis-client.ts';

export const REDIS_PACKAGES: readonly ['ioredis', 'iovalkey', 'redis'];
export function createRedisClient(
  name: string,
  url: string,
): Promise<{
  readonly client: RedisClient;
  /** Sends a command, and returns its reply with texts. */
  readonly send: (...command: string[]) => Promise<unknown>;
  readonly close: () => Promise<void>;
}>;
