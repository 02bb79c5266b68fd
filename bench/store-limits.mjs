// What a store takes on the disk for each origin, and how it keeps to its limits while 32 writers store further origins: in SQLite and in
// PostgreSQL with its default settings.
//   BENCH_STORES   the stores, with commas between them (default: SQLite,Redis,PostgreSQL)
//   BENCH_REDIS    URL of an empty Redis server; without it Redis is not measured
//   BENCH_ORIGINS  origins after which sizes, writes and reads are measured, with commas between them. The store stores those of the first
//                  step and the last BENCH_WRITES of each further one; all others are copies of the rows of the first step
//   BENCH_CORPUS   if set, the files are those of the corpus, each with a line of its own; else they have 2,000 bytes of random names
//   BENCH_SECONDS  how long the writers write
//   BENCH_ROWS     origins in the store whose totals are read, and from which the writers evict; 0: do not measure this
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore, openSqliteStore } from '@maycrawl/client';
import { openPostgres, openSqlite, rawSql, sql } from '@maycrawl/client/internal';
import { RedisStore } from '@maycrawl/client/redis';
import { RedisKeys } from '../packages/client/dist/store/redis/redis-keys.js';
import { createRedisClient } from '../packages/client/test/support/redis-clients.mjs';
import { makeRandom, readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';
import { findPostgres, startPostgres } from './postgres.mjs';

const STORES = (process.env.BENCH_STORES ?? 'SQLite,Redis,PostgreSQL').split(',');
const STEPS = (process.env.BENCH_ORIGINS ?? '20000').split(',').map(Number);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const WRITERS = 32;
const READS = 2_000;
const WRITES = Number(process.env.BENCH_WRITES ?? 2_000);
const FIRST = STEPS[0];
/** Rows of one transaction or script. */
const COPIES = 5_000;
const FILE_BYTES = 2_000;
const CORPUS = process.env.BENCH_CORPUS ? readCorpus() : undefined;
/** Limits that the stores do not reach. */
const UNLIMITED = { maxBytes: Number.MAX_SAFE_INTEGER, maxOrigins: Number.MAX_SAFE_INTEGER };

/** A file of the corpus, or of 2 kB, that no other origin has. */
function createFile(index) {
  if (CORPUS !== undefined)
    return Buffer.concat([CORPUS.files[index % CORPUS.files.length], Buffer.from(`\n# ${index}\n`)]);
  let text = `User-agent: *\n`;
  for (let rule = 0; text.length < FILE_BYTES; rule++)
    text += `Disallow: /${createHash('sha256').update(`${index} ${rule}`).digest('hex').slice(0, 20)}/\n`;
  return new TextEncoder().encode(text.slice(0, FILE_BYTES));
}

const getOrigin = (index) => `https://www.site-${index}.example`;

function createResponse(index) {
  const now = Date.now();
  return {
    ...{ kind: 'successful', fetchedAt: now, staleAt: now + 86_400_000, bytes: createFile(index) },
    ...{ status: 200, code: null, message: null },
    headers: {
      ...{ cacheControl: 'max-age=86400', expires: null, date: new Date(now).toUTCString(), age: null },
      ...{ etag: `"${index}-5f3c"`, lastModified: new Date(now).toUTCString(), retryAfter: null },
    },
    hops: [{ url: `${getOrigin(index)}/robots.txt`, status: 200 }],
    timings: { lookup: 12.5, connect: 21.1, secure: 25.2, headers: 48.5, total: 49.7 },
  };
}

/** Runs work for each number from `start` to below `count`, 32 at a time. */
async function runWriters(count, work, start = 0) {
  let next = start;
  const write = async () => {
    while (next < count()) await work(next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return next;
}

async function time(work) {
  const start = performance.now();
  await work();
  return `${(performance.now() - start).toFixed(1)} ms`;
}

/**
 * Stores origins, and measures after each number of them.
 *
 * @param getDiskBytes - of an empty store, too.
 * @param copyRows - adds the origins of a list of numbers with the rows of those of the first step.
 */
async function measureSize(name, store, getDiskBytes, copyRows) {
  const random = makeRandom(17);
  const empty = await getDiskBytes();
  let from = 0;
  for (const count of STEPS) {
    for (const last = count - WRITES; from > 0 && from < last; from += COPIES)
      await copyRows(Array.from({ length: Math.min(COPIES, last - from) }, (_, index) => from + index));
    if (from > 0) from = count - WRITES;
    const start = performance.now();
    await runWriters(
      () => count,
      (index) => store.record(getOrigin(index), { response: createResponse(index) }),
      from,
    );
    const seconds = (performance.now() - start) / 1000;
    const reads = [];
    for (let read = 0; read < READS; read++) {
      const readAt = performance.now();
      const state = await store.get(getOrigin(Math.floor(random() * count)));
      reads.push(performance.now() - readAt);
      if (state?.response === undefined) throw new Error('an origin is not in the store');
    }
    const { origins, bytes } = await store.stats();
    const disk = (await getDiskBytes()) - empty;
    const [median, most] = [0.5, 0.99].map((q) => quantile(reads, q).toFixed(2));
    const files = CORPUS === undefined ? `${FILE_BYTES} bytes` : CORPUS.label;
    console.log(
      `${name}, ${origins} origins, ${files}: counted ${Math.round(bytes / origins)} bytes each, on the disk (Redis: in memory) ${Math.round(disk / origins)} each, ${(disk / 2 ** 30).toFixed(2)} GiB; ${count - from} stored at ${Math.round((count - from) / seconds)} a second; a read: median ${median} ms, 99 % below ${most} ms; stats() ${await time(() => store.stats())}`,
    );
    from = count;
  }
}

const getCopied = (index) => getOrigin(index % FIRST);
const toKey = (origin) => createHash('sha256').update(origin).digest();

/** Writes rows without the store, as the store would: it takes minutes for a million. */
async function addRows(client, count) {
  await client.run(
    sql`INSERT INTO maycrawl.origins (key, origin, is_failing, used_at, bytes)
     SELECT sha256(convert_to('row ' || i, 'UTF8')), 'http://row-' || i || '.example', 0, i, 3700
     FROM generate_series(1, ${count}::integer) AS i`,
  );
  await client.run(
    sql`INSERT INTO maycrawl.histories (key, response, body, events)
     SELECT sha256(convert_to('row ' || i, 'UTF8')), '{}', convert_to(repeat(md5(i::text), 62), 'UTF8'), '[]'
     FROM generate_series(1, ${count}::integer) AS i`,
  );
  await client.exec('VACUUM ANALYZE maycrawl.origins, maycrawl.histories');
}

async function measurePostgres(programs) {
  const database = await startPostgres(programs);
  const client = await openPostgres(database.url, { applicationName: 'bench', statementTimeout: 0 });
  try {
    const read = (text) => client.get(rawSql(text));
    const store = await openPostgresStore(database.url, UNLIMITED);
    await measureSize(
      'PostgreSQL',
      store,
      async () => {
        await client.exec('VACUUM');
        const { bytes } = await read(
          `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relnamespace = 'maycrawl'::regnamespace AND relkind = 'r'`,
        );
        return Number(bytes);
      },
      async (indexes) => {
        const [from, to] = [indexes[0], indexes.at(-1)];
        for (const [table, columns] of [
          ['origins', `'https://www.site-' || i || '.example', is_failing, used_at, bytes`],
          ['histories', 'response, outage, body, events'],
        ])
          await client.exec(
            `INSERT INTO maycrawl.${table}
           SELECT sha256(convert_to('https://www.site-' || i || '.example', 'UTF8')), ${columns}
           FROM generate_series(${from}, ${to}) AS i
           JOIN maycrawl.${table} ON key = sha256(convert_to('https://www.site-' || i % ${FIRST} || '.example', 'UTF8'))`,
          );
      },
    );
    if (ROWS === 0) return await store.close();
    await store.delete();
    await addRows(client, ROWS);
    console.log(
      `stats() of ${ROWS} origins: ${await time(() => store.stats())}, again ${await time(() => store.stats())}`,
    );
    await store.close();

    const full = await openPostgresStore(database.url, { maxOrigins: ROWS * 0.9 });
    const end = performance.now() + SECONDS * 1000;
    let most = 0;
    const watch = setInterval(async () => {
      const { origins } = await full.stats();
      most = Math.max(most, origins);
    }, 1000);
    const puts = await runWriters(
      () => (performance.now() < end ? Number.POSITIVE_INFINITY : 0),
      (index) => full.record(getOrigin(index), { response: createResponse(index) }),
    );
    clearInterval(watch);
    const { origins, evictions } = await full.stats();
    const closing = await time(() => full.close());
    console.log(
      `limit of ${ROWS * 0.9} origins, ${ROWS} in the store, ${WRITERS} writers for ${SECONDS} s: ${puts} put, ${evictions} evicted, at most ${most} and at the end ${origins} in the store; close() ${closing}`,
    );
  } finally {
    await client.close();
    await database.end();
  }
}

async function measureSqlite(folder) {
  const path = join(folder, 'store.sqlite');
  const store = await openSqliteStore(path, UNLIMITED);
  // With the pages in memory and a long log a million rows are written in minutes. The layout of the file is the same.
  const client = await openSqlite(path, {
    pragmas: ['cache_size = -1000000', 'wal_autocheckpoint = 200000'],
  });
  const getBytes = () => {
    client.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return statSync(path).size + statSync(`${path}-wal`).size;
  };
  await measureSize('SQLite', store, getBytes, async (indexes) =>
    client.transaction(() => {
      for (const index of indexes) {
        const [key, copied] = [toKey(getOrigin(index)), toKey(getCopied(index))];
        client.run(
          'INSERT INTO origins SELECT ?, ?, is_failing, used_at, bytes FROM origins WHERE key = ?',
          ...[key, getOrigin(index), copied],
        );
        client.run(
          'INSERT INTO histories SELECT ?, response, outage, body, events FROM histories WHERE key = ?',
          ...[key, copied],
        );
      }
    }),
  );
  client.close();
  await store.close();
  console.log(`SQLite, closed: ${(statSync(path).size / 2 ** 30).toFixed(2)} GiB on the disk`);
}

/** Copies entries as a store would write them. Keys of each: the copied entry, the new one, and three of its index. */
const COPY_ENTRIES = `
for index = 1, #ARGV do
  local copied, entry, names, sizes, good = unpack(KEYS, index * 5 - 4, index * 5)
  local origin = ARGV[index]
  redis.call('COPY', copied, entry)
  local bytes, usedAt = unpack(redis.call('HMGET', entry, 'bytes', 'usedAt'))
  redis.call('ZADD', good, usedAt, origin)
  redis.call('ZADD', names, 0, origin)
  redis.call('HSET', sizes, origin, bytes)
  redis.call('HINCRBY', sizes, 'bytes', bytes)
end`;

async function measureRedis(url) {
  const { client, send, close } = await createRedisClient('ioredis', url);
  const getBytes = async () => Number(/^used_memory:(\d+)/m.exec(await send('INFO', 'memory'))[1]);
  const store = new RedisStore(client, UNLIMITED);
  const keys = new RedisKeys('maycrawl:');
  await measureSize('Redis', store, getBytes, async (indexes) => {
    const used = indexes.flatMap((index) => {
      const origin = getOrigin(index);
      const { names, sizes, good } = keys.getIndex(origin);
      return [keys.getEntry(getCopied(index)), keys.getEntry(origin), names, sizes, good];
    });
    await send('EVAL', COPY_ENTRIES, String(used.length), ...used, ...indexes.map(getOrigin));
  });
  await store.close();
  await close();
}

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));
try {
  if (STORES.includes('SQLite')) await measureSqlite(folder);
  if (STORES.includes('Redis') && process.env.BENCH_REDIS) await measureRedis(process.env.BENCH_REDIS);
  const programs = findPostgres();
  if (STORES.includes('PostgreSQL') && programs !== undefined) await measurePostgres(programs);
} finally {
  rmSync(folder, { recursive: true });
}
