// Runs in a mount namespace: fills the small file system of a store, and frees it again. Prints the results.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore, RobotsClient } from '@maycrawl/client';

const [folder, origin] = process.argv.slice(2);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', folder]);
const store = await openSqliteStore(join(folder, 'cache.sqlite'));
const details = { hops: [], timings: { total: 1 }, headers: {} };
const response = {
  kind: 'successful',
  fetchedAt: 1,
  staleAt: 2,
  status: 200,
  code: null,
  message: null,
  ...details,
};
const put = (index) =>
  store.record(`http://${index}.example`, {
    response: { ...response, bytes: Buffer.alloc(100_000, `${index} `) },
  });
for (let index = 0; index < 5; index++) await put(index);

const filler = join(folder, 'filler');
try {
  for (;;) writeFileSync(filler, Buffer.alloc(4096), { flag: 'a' });
} catch (error) {
  if (error.code !== 'ENOSPC') throw error;
}
let stored = 5;
let failure;
while (failure === undefined && stored < 100)
  await put(stored).then(
    () => stored++,
    (error) => (failure = error),
  );
const check = await store.check().catch((error) => error);
const events = [];
const client = new RobotsClient({
  ...{ agent: 'TestBot', userAgent: 'TestBot', store },
  onEvent: ({ kind, error }) => events.push(error?.code ?? kind),
});
const whileFull = (await client.decide(`${origin}/private`)).kind;
let known = 0;
for (let index = 0; index < stored; index++)
  if ((await store.get(`http://${index}.example`))?.response?.bytes.length === 100_000) known++;

rmSync(filler);
await put(200);
await store.check();
const after = (await store.get('http://200.example')).response.bytes.length;
const { failures } = await store.stats();
await store.close();
process.stdout.write(
  JSON.stringify({
    code: failure?.code,
    message: failure?.message,
    check: check?.code,
    lost: stored - known,
    whileFull,
    events,
    after,
    failures,
  }),
);
