/** `kill -9` during a crawl: the resumed run has the same result, and does not fetch stored pages again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../src/audit/run/open-run.ts';
import { createRandomIndex } from '../support/random.ts';
import { BIN, ownCache } from '../support/run.ts';
import { readUrls } from './crawling.ts';
import { type GeneratedSite, startGeneratedSite } from './generated-site.ts';

/** The number of kills and pages; the soak run has more of both. */
const KILLS = Number(process.env['KILLS'] ?? 4);
const PAGES = Number(process.env['PAGES'] ?? 1_500);
const CONCURRENCY = 8;
const AGENTS = ['Googlebot', 'bingbot'];

function startAudit(args: readonly string[]): ChildProcess {
  const concurrency = ['--concurrency', String(CONCURRENCY)];
  return spawn(process.execPath, [BIN, 'audit', ...args, ...concurrency], {
    ...{ env: ownCache(), stdio: ['ignore', 'ignore', 'pipe'] },
  });
}

/** Waits for the end of the process. @returns its error output, or '' on success. */
async function waitForEnd(child: ChildProcess): Promise<string> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return code === 0 || signal === 'SIGKILL' ? '' : output;
}

/** Reads the result of a run, without times and the changes of a second try. */
async function readResult(path: string): Promise<Map<string, unknown>> {
  const run = await openRun(path, 'read');
  const urls = readUrls(run);
  const names = new Map(urls.map(({ key, url }) => [key, url]));
  const sitemaps = new Map(
    run.sitemaps.list().map(({ id, url, entries, problem }) => [id, { url, entries, problem }]),
  );
  const result = new Map<string, unknown>();
  for (const { key, url, ...stored } of urls) {
    const page = run.page(key);
    const links = run.links(key).map(({ key: to, types }) => `${names.get(to)} ${types}`);
    const verdicts = await Promise.all(AGENTS.map((_, agent) => run.verdicts.get(key, agent)));
    result.set(url, {
      ...{ stored, outcome: page?.outcome, bytes: page?.bytes, links: links.sort() },
      verdicts: verdicts.map((verdict) => verdict && { ...verdict, key: 0 }),
      sitemaps: run.sitemaps
        .findIds(key)
        .map((id) => sitemaps.get(id)?.url)
        .sort(),
    });
  }
  result.set(
    'sitemaps',
    [...sitemaps.values()].sort((a, b) => (a.url < b.url ? -1 : 1)),
  );
  result.set('counts', run.counts());
  run.close();
  return result;
}

/** Reads the paths with a stored outcome. */
async function readRecorded(path: string, origin: string): Promise<Set<string>> {
  const run = await openRun(path, 'read');
  const fetched = readUrls(run).filter(({ state }) => state === 'fetched');
  run.close();
  return new Set(fetched.map(({ url }) => url.slice(origin.length)));
}

interface Killed {
  readonly kills: number;
  /** The number of requests for pages. */
  readonly requests: number;
  /** The repeated requests: beyond the first for each page, or the second for a page that fails once. */
  readonly twice: number;
}

/** Audits the site with repeated kills, each after a random number of requests, or if no request arrives for a while. */
async function auditWithKills(site: GeneratedSite, path: string, most: number): Promise<Killed> {
  const random = createRandomIndex(most);
  const counts = new Map<string, number>();
  let recorded = new Set<string>();
  const again: string[] = [];
  for (let kills = 0; ; kills++) {
    const begin =
      kills === 0 ? [`${site.origin}/`, ...AGENTS.flatMap((name) => ['--agent', name])] : ['--resume'];
    const child = startAudit([...begin, '--database', path]);
    const kill = (): unknown => kills < most && child.kill('SIGKILL');
    const isLast = kills === most - 1;
    const after = isLast ? Number.POSITIVE_INFINITY : 1 + random(Math.ceil((1.6 * PAGES) / most));
    let since = 0;
    let idle: NodeJS.Timeout | undefined;
    site.onRequest = (target) => {
      if (target === '/robots.txt' || target.startsWith('/sitemap')) return;
      if (recorded.has(target)) again.push(target);
      counts.set(target, (counts.get(target) ?? 0) + 1);
      if (++since === after) setTimeout(kill, random(30));
      clearTimeout(idle);
      // Fewer requests than this number can remain; the last process can already be judging.
      if (kills < most) idle = setTimeout(kill, isLast ? 60 : 2_000);
    };
    expect(await waitForEnd(child)).toBe('');
    clearTimeout(idle);
    if (child.signalCode === null) {
      // Stored pages were not fetched again.
      expect(again).toEqual([]);
      const requests = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const breaks = [...counts.keys()].filter((target) => target.startsWith('/broken/')).length;
      return { kills, requests, twice: requests - counts.size - breaks };
    }
    recorded = await readRecorded(path, site.origin);
  }
}

test(`a crawl of ${PAGES} pages that is killed ${KILLS} times has the result of an undisturbed one`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-kill-'));
  const [undisturbed, disturbed] = [join(folder, 'a.sqlite'), join(folder, 'b.sqlite')];
  const site = await startGeneratedSite(PAGES);
  const whole = await auditWithKills(site, undisturbed, 0);
  expect(whole.twice).toBe(0);
  expect(whole.requests).toBeGreaterThan(PAGES * 0.9);
  site.forget();
  const killed = await auditWithKills(site, disturbed, KILLS);
  if (process.env['SHOW_COSTS'] !== undefined) process.stderr.write(`${JSON.stringify([whole, killed])}\n`);
  expect(killed.kills).toBeGreaterThan(KILLS / 2);
  expect(killed.twice).toBeLessThanOrEqual(KILLS * 2 * CONCURRENCY);
  const [expected, got] = [await readResult(undisturbed), await readResult(disturbed)];
  expect(expected.size).toBeGreaterThan(PAGES);
  // One by one, because the difference of 20,000 entries could not be printed.
  expect([...got.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [url, result] of expected) expect([url, got.get(url)]).toEqual([url, result]);
  await site.close();
  rmSync(folder, { recursive: true });
}, 1_800_000);
