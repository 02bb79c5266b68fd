/** Starts and ends Chromium where it is not as usual. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Chromium, requireChromium } from '../../../src/audit/render/chromium.ts';
import { findChromium } from '../../../src/audit/render/find-chromium.ts';
import { createTestFolder } from '../../support/folder.ts';
import { ProcessWatch } from './processes.ts';
import { isChromiumMissing, NEEDS, RENDER } from './support.ts';

const folder = createTestFolder('chromium');
const { withoutSandbox = false } = RENDER;
const CANNOT = isChromiumMissing || process.platform !== 'linux';

function createScript(name: string, lines: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

test.skipIf(CANNOT)(
  `a Chromium that a script has started is killed with a page that does not end (Linux)${NEEDS}`,
  async () => {
    const executable = createScript('chromium-waits', `${findChromium()} "$@"\nexit`);
    const processes = new ProcessWatch();
    const chromium = await Chromium.start({ executable, withoutSandbox });
    processes.look();
    const context = await chromium.newContext({});
    const page = await context.newPage();
    page.evaluate('for (;;);').catch(() => {});
    chromium.kill();
    // Not by an orderly end.
    await expect.poll(() => processes.listLeft()).toEqual([]);
    expect(processes.groups.size).toBe(1);
    await chromium.close();
  },
);

test.skipIf(CANNOT)(`a Chromium that opens no page is refused before the audit (Linux)${NEEDS}`, async () => {
  const executable = createScript(
    'chromium-empty',
    `exec ${findChromium()} --renderer-cmd-prefix=/bin/false "$@"`,
  );
  // Chromium reports the end of the page's process, or, depending on when it ends, nothing.
  await expect(requireChromium({ executable, withoutSandbox }, 3_000)).rejects.toMatchObject({
    name: 'RenderError',
    code: 'chromium-unusable',
  });
});
