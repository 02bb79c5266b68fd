/** The library entry of the monitor. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { createMonitor, type Monitor } from '../../src/watch/monitor.ts';
import type { Severity } from '../../src/watch/site.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';

let folder: string;
let path: string;
let monitor: Monitor;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  path = join(folder, 'watch.sqlite');
  monitor = await createMonitor({ database: path });
});
afterEach(async () => {
  await monitor.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['an unknown aspect', { blokced: 'error' as Severity }],
  ['an unknown severity', { blocked: 'critical' as Severity }],
] as readonly (readonly [string, Readonly<Record<string, Severity>>])[])(
  '%s is refused when a site is added',
  async (_name, severity) => {
    await expect(monitor.add(['https://a.example'], { severity })).rejects.toThrow(RangeError);
    expect(await monitor.remove(['https://a.example'])).toBe(0);
  },
);

test('a site is due only immediately before its check, so that no other worker takes it meanwhile', async () => {
  const database = await openWatchDatabase(path);
  const repository = new SiteRepository(database);
  let dueDuringCheck: number | undefined;
  const last = await serve((_request, response) => response.end('User-agent: *\n'));
  const first = await serve(async (_request, response) => {
    dueDuringCheck = (await repository.site(last.origin))?.due_at;
    response.end('User-agent: *\n');
  });
  const later = Date.now() + 3_600_000;
  const settings = { every: 86_400_000, agents: [], notify: [], isOriginOpen: true };
  await repository.addSites([first.origin, last.origin], settings, () => later);
  expect((await monitor.check([first.origin, last.origin])).length).toBe(2);
  expect(dueDuringCheck).toBe(later);
  await database.db.close();
  for (const site of [first, last]) await site.close();
});

test('a check that is aborted ends, releases its site and omits the next one', async () => {
  const controller = new AbortController();
  const requests: string[] = [];
  const site = await serve((_request, response) => {
    requests.push('first');
    if (!controller.signal.aborted) controller.abort(new Error('stopped'));
    else response.end('User-agent: *\n');
  });
  const next = await serve((_request, response) => {
    requests.push('next');
    response.end('User-agent: *\n');
  });
  await monitor.add([site.origin, next.origin]);
  const errors: unknown[] = [];
  const onError = (what: string, error: unknown): void => void errors.push([what, error]);
  expect(await monitor.check([site.origin, next.origin], { signal: controller.signal, onError })).toEqual([]);
  expect(requests).toEqual(['first']);
  // Its lease does not delay the next check.
  expect((await monitor.check([site.origin], { onError })).map(({ origin }) => origin)).toEqual([
    site.origin,
  ]);
  expect(errors).toEqual([]);
  for (const each of [site, next]) await each.close();
});
