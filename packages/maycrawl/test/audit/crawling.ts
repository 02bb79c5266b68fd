// Crawls a site on loopback in the same way as `maycrawl audit`, and reads the stored result.
import { join } from 'node:path';
import { afterFile } from '../../../../scripts/after-file.ts';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { crawl } from '../../src/audit/crawl/crawl.ts';
import type { CrawlOptions } from '../../src/audit/crawl/crawl-options.ts';
import { evaluateRun } from '../../src/audit/evaluate-run.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import type { UrlRecord } from '../../src/audit/run/records/page.ts';
import type { StoredUrl } from '../../src/audit/run/records/url.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import type { RunEnd, RunSettings } from '../../src/audit/run/settings.ts';
import { createSettings } from '../support/audit-runs.ts';
import { createTestFolder } from '../support/folder.ts';

/** The result of a crawl. */
export interface Crawled {
  readonly run: RunStore;
  readonly settings: RunSettings;
  readonly end: RunEnd;
  /** Every discovered URL. */
  readonly urls: readonly StoredUrl[];
}

/** The options of a crawl, with the defaults of the command. */
export type CrawlModes = Partial<Omit<CrawlOptions, 'run' | 'settings'>> & {
  readonly settings?: Partial<RunSettings>;
};

/** Closes a server or a run after the tests of the file. */
export function closeAtEnd<T extends { readonly close: () => unknown }>(each: T): T {
  afterFile(() => each.close());
  return each;
}

/** Crawls the starts, and judges the run at `now`. The run is closed after the tests of the file. */
export async function crawlAll(starts: readonly string[], modes: CrawlModes = {}): Promise<Crawled> {
  const { settings: wanted, now = Date.now } = modes;
  const run = closeAtEnd(await openRun(join(createTestFolder('crawl'), 'run.sqlite'), 'new'));
  const settings = createSettings(starts, { maxAlike: 2_000, startedAt: now(), ...wanted });
  run.set('settings', settings);
  return resumeCrawl({ run, settings }, modes);
}

/** Serves a site until the end of the tests of the file. */
export async function serveSite(...args: Parameters<typeof serve>): Promise<TestServer> {
  return closeAtEnd(await serve(...args));
}

/** Resumes a stopped crawl, and judges the run at `now`. */
export async function resumeCrawl(
  { run, settings }: Pick<Crawled, 'run' | 'settings'>,
  { settings: _, now = Date.now, ...others }: CrawlModes = {},
): Promise<Crawled> {
  const end = await crawl({
    ...{ userAgent: 'test', concurrency: 8, spacing: 0, obeysCrawlDelay: false, timeout: 5_000 },
    ...{ allowPrivateAddresses: true, signal: new AbortController().signal },
    ...others,
    ...{ run, settings, now },
  });
  run.set('end', end);
  await evaluateRun(run, now());
  return { run, settings, end, urls: readUrls(run) };
}

/** @returns a URL with its page and sitemaps. */
export function getRecord(run: RunStore, { key, url }: StoredUrl): UrlRecord {
  const record = run.rows.record(key);
  if (record === undefined) throw new Error(`the run has no record of ${url}`);
  return record;
}

/** Reads every URL of a run. */
export const readUrls = (run: RunStore): StoredUrl[] => run.urls(-1, 2 ** 31);
