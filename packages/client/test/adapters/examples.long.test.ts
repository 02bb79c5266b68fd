import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT, type RunResult } from '../../../maycrawl/test/support/run.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { HAS_REDIS, startRedis } from '../support/redis-server.ts';
import { pathsOf, type Site, startSite } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-examples-'));
let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs an example as its first lines say, but in an empty folder. */
function runExample(name: string, ...args: string[]): Promise<RunResult> {
  return new Promise((resolve) => {
    const script = join(ROOT, 'examples', name);
    execFile(process.execPath, [script, ...args], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const forbidden = (path: string): string => `${site.origin}${path} is forbidden: Disallowed. No group names`;

describe.each(['fetch.mjs', 'crawlee.mjs', 'undici.mjs', 'got.mjs', 'axios.mjs'])('examples/%s', (name) => {
  test('says how it is used', async () => {
    const usage = `usage: node examples/${name} <URL>\n`;
    expect(await runExample(name)).toEqual({ code: 2, stdout: '', stderr: usage });
  });

  test('visits what is allowed, under its own name', async () => {
    const { code, stdout, stderr } = await runExample(name, `${site.origin}/`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(pathsOf(site).sort()).toEqual(['/', '/link']);
    expect(site.requests.filter((path) => path === '/robots.txt').length).toBe(1);
    for (const { headers } of site.received) {
      expect(headers['user-agent']).toBe('MyBot/1.0 (+https://my.example/bot)');
    }
    const lines = stdout.trimEnd().split('\n').sort();
    const visited = (path: string): string =>
      name !== 'crawlee.mjs' ? `200 ${site.origin}${path}` : `${site.origin}${path} A page`;
    expect(lines.length).toBe(3);
    expect(lines).toContain(visited('/'));
    expect(lines).toContain(visited('/link'));
    expect(stdout).toContain(forbidden('/private/link'));
    expect(existsSync(join(folder, 'storage'))).toBe(false);
  });
});

describe.skipIf(!HAS_REDIS)('examples/bullmq.mjs (skipped without redis-server)', () => {
  test('says how it is used', async () => {
    const usage = 'usage: node examples/bullmq.mjs <URL of Redis> <URL>...\n';
    expect(await runExample('bullmq.mjs')).toEqual({ code: 2, stdout: '', stderr: usage });
  });

  test('fetches what is allowed at the pace of the site, delays jobs without an attempt, and fails what is forbidden once', async () => {
    const redis = await closeAtEnd(startRedis());
    const paths = ['/1', '/2', '/3', '/private/link', '/4'];
    const urls = paths.map((path) => `${site.origin}${path}`);
    const before = performance.now();
    const { code, stdout, stderr } = await runExample('bullmq.mjs', redis.url, ...urls);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(performance.now() - before).toBeGreaterThanOrEqual(3 * 200);
    expect(pathsOf(site).sort()).toEqual(['/1', '/2', '/3', '/4']);
    const lines = stdout.trimEnd().split('\n');
    const visited = ['/1', '/2', '/3', '/4'].map((path) => `200 ${site.origin}${path} (attempt 1)`);
    expect(lines.filter((line) => line.startsWith('200')).sort()).toEqual(visited);
    expect(stdout).toContain(forbidden('/private/link'));
  });
});
