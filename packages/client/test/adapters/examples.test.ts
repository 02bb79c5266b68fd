import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT, type RunResult } from '../../../maycrawl/test/support/run.ts';
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

describe.each(['fetch.mjs', 'crawlee.mjs'])('examples/%s', (name) => {
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
      name === 'fetch.mjs' ? `200 ${site.origin}${path}` : `${site.origin}${path} A page`;
    expect(lines.length).toBe(3);
    expect(lines).toContain(visited('/'));
    expect(lines).toContain(visited('/link'));
    expect(stdout).toContain(forbidden('/private/link'));
    expect(existsSync(join(folder, 'storage'))).toBe(false);
  });
});
