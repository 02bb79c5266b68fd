/// <reference types="node" preserve="true" />
/**
 * `maycrawl/audit`: crawls a site and says for each URL whether crawlers can fetch and index it, and why not.
 *
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrawlObserver, crawlRun } from './audit/crawl-run.ts';
import { evaluateRun } from './audit/evaluate-run.ts';
import { createPlan, type PlanOptions } from './audit/plan.ts';
import { type UrlReport, UrlReporter } from './audit/report/url-report.ts';
import { openRun } from './audit/run/open-run.ts';
import type { RunEnd } from './audit/run/settings.ts';

export type { CrawlObserver } from './audit/crawl-run.ts';
export type { PlanOptions } from './audit/plan.ts';
export type { UrlReport } from './audit/report/url-report.ts';
export { RunError } from './audit/run/run-error.ts';
export type { Counts } from './audit/run/run-store.ts';
export type { RunEnd, ScopeKind } from './audit/run/settings.ts';

/** How a site is audited, and where the audit is stored. */
export interface AuditOptions extends PlanOptions, CrawlObserver {
  /** The SQLite file of the run. Without it the run is deleted at the end. */
  readonly database?: string;
  /** Continue the run in `database`; `start` is an empty list then. @defaultValue `false` */
  readonly resume?: boolean;
  /** Receives how the crawl ended, before the first result. */
  readonly onEnd?: (end: RunEnd) => void;
}

/**
 * Audits a site: crawls it, and then yields a result for each URL and crawler.
 *
 * @example
 * ```js
 * import { audit } from 'maycrawl/audit';
 *
 * for await (const { url, indexable, reason } of audit('https://example.com/', { maxPages: 100 })) {
 *   console.log(indexable, reason, url);
 * }
 * ```
 *
 * @param start - http or https URLs to begin with.
 * @throws {RangeError} for a URL, an agent, a profile or a scope that cannot be audited.
 * @throws {RunError} if the database cannot be used.
 */
export function audit(
  start: string | readonly string[],
  options: AuditOptions = {},
): AsyncGenerator<UrlReport> {
  const plan = createPlan(typeof start === 'string' ? [start] : start, options);
  return runAudit(plan, options);
}

async function* runAudit(
  plan: ReturnType<typeof createPlan>,
  { database, resume = false, onEnd, ...observer }: AuditOptions,
): AsyncGenerator<UrlReport> {
  const folder = database === undefined ? await mkdtemp(join(tmpdir(), 'maycrawl-audit-')) : undefined;
  try {
    const run = await openRun(database ?? join(folder ?? '', 'run.sqlite'), resume ? 'resume' : 'new');
    try {
      const end = await crawlRun(run, plan, observer);
      onEnd?.(end);
      await evaluateRun(run, Date.now());
      yield* (await UrlReporter.create(run, 'with-links')).all(true);
    } finally {
      await run.close();
    }
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
