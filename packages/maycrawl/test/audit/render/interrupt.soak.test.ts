/** Ends the command while it renders a page that does not end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestFolder } from '../../support/folder.ts';
import { BIN, ownCache, run } from '../../support/run.ts';
import { ProcessWatch } from './processes.ts';
import { createFiles, type SiteFile, startRenderSite } from './site.ts';
import { isChromiumMissing, NEEDS, RENDER } from './support.ts';

const folder = createTestFolder('interrupt');

const PAGES = [
  { path: '/endless', html: '<title>Endless</title><script>for (;;);</script>' },
  { path: '/other', html: "<title>Before</title><script>document.title = 'After'</script>" },
];
const SANDBOX = RENDER.withoutSandbox ? ['--render-without-sandbox'] : [];
const CANNOT = isChromiumMissing || process.platform !== 'linux';

/** Starts the command, and waits until it runs Chromium. */
async function start(url: string, out: string): Promise<{ child: ChildProcess; processes: ProcessWatch }> {
  const args = ['audit', url, '--render', '--render-timeout', '10m', '--out', out, ...SANDBOX];
  const child = spawn(process.execPath, [BIN, ...args], { env: ownCache(), stdio: 'ignore' });
  const processes = new ProcessWatch(child.pid);
  const countStarts = (): number => {
    processes.look();
    return processes.groups.size;
  };
  // One that is only tried, and one for each of two pages.
  await expect.poll(countStarts, { timeout: 120_000, interval: 50 }).toBeGreaterThanOrEqual(3);
  return { child, processes };
}

test.skipIf(CANNOT)(`Ctrl-C ends Chromium, and the run can be resumed (Linux)${NEEDS}`, async () => {
  const files = createFiles(PAGES);
  const site = await startRenderSite(files);
  const out = join(folder, 'interrupted');
  const { child, processes } = await start(`${site.origin}/`, out);
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(2);
  await expect.poll(() => processes.listLeft()).toEqual([]);
  // What did not end is rendered again.
  files['/endless'] = files['/other'] as SiteFile;
  const args = [
    'audit',
    '--resume',
    '--render',
    '--render-timeout',
    '10m',
    '--out',
    out,
    '--json',
    ...SANDBOX,
  ];
  const resumed = await run(args);
  const records = resumed.stdout
    .trimEnd()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { url: string; rendering: { failure: unknown; after: unknown } | null },
    );
  const find = (path: string): unknown =>
    records.find(({ url }) => url === `${site.origin}${path}`)?.rendering;
  for (const path of ['/endless', '/other'])
    expect(find(path)).toMatchObject({ failure: null, after: { title: 'After' } });
  await site.close();
});

test.skipIf(CANNOT)(`Chromium ends with a command that is killed (Linux)${NEEDS}`, async () => {
  const site = await startRenderSite(createFiles(PAGES));
  const { child, processes } = await start(`${site.origin}/`, join(folder, 'killed'));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => processes.listLeft()).toEqual([]);
  await site.close();
});
