/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/redis`: a store in Redis or Valkey. It has no dependency: the caller passes a client of ioredis, iovalkey or node-redis.
 *
 * @module
 */
export { DatabaseError, type DatabaseErrorCode } from './database/database-error.ts';
export type {
  IoredisClient,
  NodeRedisClient,
  RedisArgument,
  RedisClient,
} from './store/redis/redis-client.ts';
export { RedisStore, type RedisStoreOptions } from './store/redis/redis-store.ts';
