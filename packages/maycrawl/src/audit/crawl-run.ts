// Crawls in a run: a new one, or one that was begun before.
import { crawl } from './crawl/crawl.ts';
import { requireScope } from './crawl/scope.ts';
import type { AuditPlan } from './plan.ts';
import { requireChromium } from './render/chromium.ts';
import { createRenderPass } from './render/render-pass.ts';
import type { Counts } from './run/records/url.ts';
import { RunError } from './run/run-error.ts';
import type { RunStore } from './run/run-store.ts';
import { findSettings, type RunEnd } from './run/settings.ts';

/** Observes a crawl. */
export interface CrawlObserver {
  /** Aborting it ends the crawl. The run keeps its results. */
  readonly signal?: AbortSignal;
  /** Receives the numbers of URLs from time to time. */
  readonly onProgress?: (counts: Counts) => void;
  /** Milliseconds since 1970. @defaultValue `Date.now` */
  readonly now?: () => number;
  /** Receives the number of rendered pages, and the number of those to be rendered so far. */
  readonly onRendered?: (count: number, total: number) => void;
}

/**
 * Checks before a run begins that its pages can be rendered, if the plan says so.
 *
 * @throws {RenderError} if playwright-core or Chromium is missing, or cannot be started.
 */
export async function requireRenderer({ limits, render }: AuditPlan): Promise<void> {
  if (!limits.render) return;
  const { chromium, withoutSandbox = false } = render;
  await requireChromium({ ...(chromium !== undefined && { executable: chromium }), withoutSandbox });
}

/**
 * Crawls until there is nothing left to fetch, a limit is reached, or the signal aborts.
 *
 * @returns how it ended, which is in the run, too.
 * @throws {RunError} if the plan is not that of the run.
 */
export async function crawlRun(
  run: RunStore,
  { settings: wanted, limits, robots: given, crawl: parameters, render, openList }: AuditPlan,
  { signal = new AbortController().signal, onProgress, onRendered, now = Date.now }: CrawlObserver = {},
): Promise<RunEnd> {
  const known = findSettings(run);
  const settings = known === undefined ? wanted : { ...known, ...limits };
  if (settings === null) throw new RunError('no-run', 'no audit was begun there: give a URL to begin with');
  try {
    requireScope(settings);
  } catch (cause) {
    throw new RunError('run-damaged', (cause as Error).message, { cause });
  }
  if (known !== undefined && wanted !== null && wanted.starts.join() !== known.starts.join())
    throw new RunError(
      'run-exists',
      `the run began at ${known.starts.join(' ')}: omit the URL to continue it`,
    );
  if (known !== undefined && given !== null)
    throw new RunError('run-exists', 'the run has begun already: omit the robots.txt to continue it');
  // Before the settings, which say that there is one.
  if (given !== null) run.set('given', Buffer.from(given).toString('base64'));
  run.set('settings', settings);
  const stored = run.get('given');
  const robots = typeof stored === 'string' ? Buffer.from(stored, 'base64') : null;
  const list = settings.list === null ? undefined : openList?.(settings.list, signal);
  const end = await crawl({
    ...parameters,
    ...(list && { list }),
    run,
    settings,
    robots,
    signal,
    now,
    ...(settings.render && {
      extend: createRenderPass({ ...render, limit: settings.render.limit ?? 0 }, onRendered),
    }),
    ...(onProgress && { onProgress: ({ counts }) => onProgress(counts) }),
  });
  run.set('end', end);
  return end;
}
