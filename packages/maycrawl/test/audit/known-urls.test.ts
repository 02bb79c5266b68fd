import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openRun } from '../../src/audit/run/open-run.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('the memory of a run does not grow with the length of the URLs that are found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-known-'));
  const run = await openRun(join(folder, 'run.sqlite'), 'new');
  const before = memory();
  // 80 MB of URLs.
  for (let chunk = 0; chunk < 100; chunk++) {
    const urls = Array.from({ length: 100 }, (_, index) => {
      // As one flat text: what is put together of parts would share them.
      return Buffer.from(`https://a.example/${chunk}-${index}/${'x'.repeat(8_000)}`).toString();
    });
    await run.addStarts(urls, () => ({ state: 'outside' }));
  }
  const grown = memory() - before;
  await run.close();
  rmSync(folder, { recursive: true });
  expect(grown).toBeLessThan(40_000_000);
}, 60_000);

function memory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
