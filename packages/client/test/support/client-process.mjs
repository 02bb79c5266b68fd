// A process with a client that shares a store with others: concurrent callers for each of some origins. It sends the number of its
// verdicts of each kind, and when the last one of each origin came. Before, it sends `waiting` when another process has a lease.
import { openPostgresStore, openSqliteStore, RobotsClient } from '@maycrawl/client';
import { RedisStore } from '@maycrawl/client/redis';
import { createRedisClient } from './redis-clients.mjs';

const { place, origins, callers, redisPackage } = JSON.parse(process.argv[2]);
const redis = place.startsWith('redis:') ? await createRedisClient(redisPackage, place) : undefined;
const store = await (redis
  ? new RedisStore(redis.client)
  : place.startsWith('postgres:')
    ? openPostgresStore(place)
    : openSqliteStore(place));
let isWaiting = false;
const client = new RobotsClient({
  ...{ agent: 'TestBot', userAgent: 'TestBot', store },
  onEvent: ({ kind }) => {
    if (kind === 'waiting' && !isWaiting) process.send('waiting');
    isWaiting ||= kind === 'waiting';
  },
});
const counts = { allowed: 0, disallowed: 0 };
const decidedAt = await Promise.all(
  origins.map(async (origin) => {
    const urls = Array.from({ length: callers }, (_, index) => `${origin}/private/${index}`);
    for (const { kind } of await Promise.all(urls.map((url) => client.decide(url)))) counts[kind]++;
    return Date.now();
  }),
);
await client.idle();
await store.close();
await redis?.close();
process.send({ counts, decidedAt }, () => process.disconnect());
