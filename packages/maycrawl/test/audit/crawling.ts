/**
 * Crawling a site on loopback, as `maycrawl audit` does it, and looking at what was kept.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawl } from '../../src/audit/crawl/crawl.ts';
import type { CrawlOptions } from '../../src/audit/crawl/crawl-options.ts';
import { judgeRun } from '../../src/audit/judge/judge-run.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import type { RunStore, StoredUrl } from '../../src/audit/run/run-store.ts';
import type { RunEnd, RunSettings } from '../../src/audit/run/settings.ts';
import type { SqliteRun } from '../../src/audit/run/sqlite/sqlite-run.ts';

/** A crawl that has ended. */
export interface Crawled {
  readonly run: SqliteRun;
  readonly settings: RunSettings;
  readonly end: RunEnd;
  /** Every URL that was found. */
  readonly urls: readonly StoredUrl[];
  close(): Promise<void>;
}

/** How it is crawled; what is not told is as the command has it. */
export type Manner = Partial<Omit<CrawlOptions, 'run' | 'settings'>> & {
  readonly settings?: Partial<RunSettings>;
};

/** Crawls, and judges at `now`. */
export async function crawlAll(starts: readonly string[], manner: Manner = {}): Promise<Crawled> {
  const { settings: wanted, now = Date.now } = manner;
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-crawl-'));
  const run = await openRun(join(folder, 'run.sqlite'), 'new');
  const settings: RunSettings = {
    ...{
      starts,
      agents: ['Googlebot'],
      scope: 'host',
      maxPages: null,
      maxDepth: null,
      include: [],
      exclude: [],
    },
    ...{
      maxAlike: 2_000,
      list: null,
      sitemaps: true,
      isRobotsGiven: false,
      profile: 'google',
      startedAt: now(),
    },
    ...wanted,
  };
  await run.set('settings', settings);
  const close = async (): Promise<void> => {
    await run.close();
    rmSync(folder, { recursive: true });
  };
  return crawlOn({ run, settings, close }, manner);
}

/** Goes on with a crawl that was stopped, and judges at `now`. */
export async function crawlOn(
  { run, settings, close }: Pick<Crawled, 'run' | 'settings' | 'close'>,
  { settings: _, now = Date.now, ...others }: Manner = {},
): Promise<Crawled> {
  const end = await crawl({
    ...{ userAgent: 'test', concurrency: 8, spacing: 0, obeysCrawlDelay: false, timeout: 5_000 },
    ...{ allowPrivate: true, signal: new AbortController().signal },
    ...others,
    ...{ run, settings, now },
  });
  await run.set('end', end);
  await judgeRun(run, now());
  return { run, settings, end, urls: await urlsOf(run), close };
}

/** Every URL of a run. */
export async function urlsOf(run: RunStore): Promise<StoredUrl[]> {
  const urls: StoredUrl[] = [];
  for (let after = -1; ; after = urls.at(-1)?.key ?? after) {
    const some = await run.urls(after, 1_000);
    if (some.length === 0) return urls;
    urls.push(...some);
  }
}
