import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openRun } from '../../src/audit/run/open-run.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('the memory use of a run is independent of the length of discovered URLs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-known-'));
  const run = await openRun(join(folder, 'run.sqlite'), 'new');
  const before = measureMemory();
  // 80 MB of URLs.
  for (let chunk = 0; chunk < 100; chunk++) {
    const urls = Array.from({ length: 100 }, (_, index) => {
      // Flat strings, because concatenated strings would share their parts.
      return Buffer.from(`https://a.example/${chunk}-${index}/${'x'.repeat(8_000)}`).toString();
    });
    run.addStarts(urls, () => ({ state: 'outside' }));
  }
  const grown = measureMemory() - before;
  run.close();
  rmSync(folder, { recursive: true });
  expect(grown).toBeLessThan(40_000_000);
});

function measureMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
