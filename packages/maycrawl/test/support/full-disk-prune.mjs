// Runs in a mount namespace: a store fills a file system of 20 MB, and the command prunes it. Prints the results.
// Arguments: a folder, the command, and a case: `store`; `other`, a file takes the rest when the store is closed; `open`, while it is open.
import { execFileSync, spawnSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@maycrawl/client';

const [folder, command, name, task] = process.argv.slice(2);
const path = join(folder, 'cache.sqlite');
const countFree = () => statfsSync(folder).bavail * statfsSync(folder).bsize;

function takeRest() {
  try {
    for (;;) writeFileSync(join(folder, 'other'), Buffer.alloc(4096), { flag: 'a' });
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
}

const prune = () => {
  const args = [command, 'cache', 'prune', '--database', path, '--max-origins', '10'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

/** Fills the file system in a process of its own, whose end closes its file. */
async function fill() {
  const store = await openSqliteStore(path);
  const put = (index) =>
    store.record(`http://${index}.example`, {
      response: {
        ...{ kind: 'successful', fetchedAt: 1, staleAt: 2, bytes: Buffer.alloc(20_000, `${index} `) },
        ...{ status: 200, code: null, message: null, hops: [], timings: { total: 1 }, headers: {} },
      },
    });
  let failure;
  let stored = 0;
  while (failure === undefined)
    await put(stored).then(
      () => stored++,
      (error) => {
        failure = error;
      },
    );
  const filled = { code: failure.code, isEnough: stored > 100, free: countFree() };
  if (name !== 'open') {
    await store.close();
    return filled;
  }
  takeRest();
  const pruned = prune();
  await put(stored);
  await store.close();
  return { ...filled, pruned };
}

if (task === 'fill') process.stdout.write(JSON.stringify(await fill()));
else {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'none', folder]);
  const filled = JSON.parse(
    execFileSync(process.execPath, [...process.argv.slice(1), 'fill'], { encoding: 'utf8' }),
  );
  if (name === 'other') takeRest();
  const { pruned = prune(), ...rest } = filled;
  const store = await openSqliteStore(path);
  const { origins } = await store.stats();
  await store.close();
  process.stdout.write(JSON.stringify({ ...rest, pruned, origins }));
}
