import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, RunError } from 'maycrawl/audit';
import { createService } from 'maycrawl/serve';
import { createMonitor, TargetError } from 'maycrawl/watch';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';

let site: TestServer;
let folder: string;
let robots = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-library-'));
  robots = 'User-agent: *\nDisallow: /private\n';
  site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.end(robots);
    else if (url === '/')
      response.setHeader('content-type', 'text/html').end('<a href="/a">a</a><a href="/private">b</a>');
    else response.setHeader('content-type', 'text/html').end('<meta name="robots" content="noindex">');
  });
});
afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Runs a function and collects its output on the terminal. */
async function getOutput(work: () => Promise<void>): Promise<string[]> {
  const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  try {
    await work();
    return spies.flatMap(({ mock }) => mock.calls.map(([text]) => String(text)));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('maycrawl/audit', () => {
  test('audits a site without terminal output or leftover files', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('maycrawl-audit-'));
    const results = new Map<string, unknown>();
    let end = '';
    const output = await getOutput(async () => {
      const options = { onEnd: ({ reason }: { readonly reason: string }) => (end = reason) };
      for await (const { url, indexable, reason } of audit(`${site.origin}/`, options))
        results.set(new URL(url).pathname, indexable ? true : reason);
    });
    expect(results).toEqual(
      new Map<string, unknown>([
        ['/', true],
        ['/a', 'noindex'],
        ['/private', 'blocked'],
      ]),
    );
    expect({ end, output }).toEqual({ end: 'complete', output: [] });
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('maycrawl-audit-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });

  test('a run in a file can be resumed, but not started twice', async () => {
    const database = join(folder, 'run.sqlite');
    const collect = async (...args: Parameters<typeof audit>): Promise<number> => {
      let count = 0;
      for await (const _each of audit(...args)) count++;
      return count;
    };
    const start = `${site.origin}/`;
    expect(await collect(start, { database, maxPages: 1 })).toBe(3);
    await expect(collect(start, { database })).rejects.toThrow(RunError);
    let end = '';
    const onEnd = ({ reason }: { readonly reason: string }) => (end = reason);
    expect(await collect([], { database, resume: true, maxPages: 10, onEnd })).toBe(3);
    expect(end).toBe('complete');
  });

  test('invalid arguments are an error at the call', () => {
    expect(() => audit('mailto:x')).toThrow(/not an http or https URL: mailto:x/);
    expect(() => audit(site.origin, { agents: ['ä'] })).toThrow(RangeError);
    expect(() => audit(site.origin, { profile: 'bing' })).toThrow(/unknown profile "bing"/);
  });
});

describe('maycrawl/watch', () => {
  test('reports changes without terminal output', async () => {
    const monitor = await createMonitor({ database: join(folder, 'watch.sqlite') });
    const kinds: (string | undefined)[] = [];
    const output = await getOutput(async () => {
      await monitor.add([site.origin], { agents: ['Googlebot'], every: 60_000 });
      const onChecked = (_origin: string, event: { readonly kind: string } | undefined) => {
        kinds.push(event?.kind);
      };
      await monitor.run({ once: true, onChecked });
    });
    expect(output).toEqual([]);
    const events = await monitor.getEvents(10, site.origin);
    expect(kinds).toEqual([events[0]?.kind]);
    expect(events[0]).toMatchObject({ origin: site.origin, version: 1, throttled: false });
    expect(await monitor.remove([site.origin])).toBe(1);
    expect(await monitor.getEvents(10)).toEqual([]);
    await monitor.close();
  });

  test('an abort ends the watch', async () => {
    const monitor = await createMonitor({ database: join(folder, 'watch.sqlite') });
    const controller = new AbortController();
    await monitor.add([site.origin]);
    await monitor.run({ signal: controller.signal, onChecked: () => controller.abort() });
    expect(await monitor.getEvents(10)).toHaveLength(1);
    await monitor.close();
  });

  test('invalid arguments are an error', async () => {
    const monitor = await createMonitor({ database: join(folder, 'watch.sqlite') });
    await expect(monitor.add(['h.example'])).rejects.toThrow(
      /not an absolute http, https or ftp URL: "h.example"/,
    );
    await expect(monitor.add([site.origin], { every: 10 })).rejects.toThrow(RangeError);
    await expect(monitor.add([site.origin], { agents: ['ä'] })).rejects.toThrow(RangeError);
    await expect(monitor.add([site.origin], { notify: ['pigeon'] })).rejects.toThrow(TargetError);
    await expect(monitor.add([site.origin], { tests: '- x' })).rejects.toThrow(/x|expect/);
    expect(await monitor.getEvents(10)).toEqual([]);
    await monitor.close();
  });
});

describe('maycrawl/serve', () => {
  test('decides without terminal output', async () => {
    const output = await getOutput(async () => {
      const service = await createService({ allowPrivateAddresses: true });
      const address = await service.listen({ host: '127.0.0.1', port: 0 });
      const response = await fetch(`${address}/v1/decide?agent=Googlebot&url=${site.origin}/private`);
      expect(await response.json()).toMatchObject({ allowed: false, line: 2 });
      await service.close();
    });
    expect(output).toEqual([]);
  });
});
