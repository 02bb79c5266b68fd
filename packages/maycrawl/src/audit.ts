/// <reference types="node" preserve="true" />
/**
 * `maycrawl/audit`: crawls a site and says for each URL whether crawlers can fetch and index it, and why not.
 *
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveAgent, resolveProfile } from '@maycrawl/core';
import { resolveUrl } from '@maycrawl/core/indexability';
import {
  checkOptions,
  checkRanges,
  type OptionTypes,
  quoteValue,
  requireString,
  requireStrings,
} from '@maycrawl/core/internal';
import type { PageReport } from './api/page-api.ts';
import type { ExternalOptions } from './audit/crawl/external/external-options.ts';
import { parseStart } from './audit/crawl/scope.ts';
import { type CrawlObserver, crawlRun, requireRenderer } from './audit/crawl-run.ts';
import { evaluateRun } from './audit/evaluate-run.ts';
import { findLinks } from './audit/links/page-links.ts';
import { isStatusPattern } from './audit/links/target-statuses.ts';
import type { UrlLink } from './audit/links/url-link.ts';
import { checkPage as checkWith } from './audit/page/check-page.ts';
import { COMMON_CRAWLERS } from './audit/page/common-crawlers.ts';
import { openPageTools } from './audit/page/open-page-tools.ts';
import { AUDIT_RANGES, createPlan, type PlanOptions } from './audit/plan.ts';
import type { RenderOptions } from './audit/render/render-options.ts';
import { type UrlReport, UrlReporter } from './audit/report/url-report.ts';
import { openRun } from './audit/run/open-run.ts';
import { RunError } from './audit/run/run-error.ts';
import type { RunStore } from './audit/run/run-store.ts';
import { judgedAt, type RunEnd, type SegmentPattern } from './audit/run/settings.ts';

export type { PageJson, PageReport } from './api/page-api.ts';
export type { ExternalOptions } from './audit/crawl/external/external-options.ts';
export type { CrawlObserver } from './audit/crawl-run.ts';
export type { LinkType, UrlLink } from './audit/links/url-link.ts';
export type { PlanOptions } from './audit/plan.ts';
export { RenderError } from './audit/render/render-error.ts';
export type { RenderOptions } from './audit/render/render-options.ts';
export type { UrlReport } from './audit/report/url-report.ts';
export type { Counts } from './audit/run/records/url.ts';
export { RunError } from './audit/run/run-error.ts';
export type { RunEnd, ScopeKind } from './audit/run/settings.ts';

/** How a page is checked. */
export interface PageCheckOptions {
  /** Crawlers. @defaultValue the common ones */
  readonly agents?: readonly string[];
  /** Name of the profile. @defaultValue `google` */
  readonly profile?: string;
  /** The User-Agent header. @defaultValue `maycrawl` */
  readonly userAgent?: string;
  /** Milliseconds for one request. @defaultValue 30,000 */
  readonly timeout?: number;
  /** Whether connections to private addresses are allowed. @defaultValue only to the origin of the URL */
  readonly allowPrivateAddresses?: boolean;
  /** Aborting it ends the check. */
  readonly signal?: AbortSignal;
}

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
 * @throws {RenderError} if pages are to be rendered, and playwright-core or Chromium is missing.
 */
export function audit(
  start: string | readonly string[],
  options: AuditOptions = {},
): AsyncGenerator<UrlReport> {
  checkOptions<AuditOptions>('audit', options, AUDIT_OPTIONS);
  checkOptions<RenderOptions>('render of audit', options.render ?? {}, RENDER_OPTIONS);
  checkOptions<ExternalOptions>('external of audit', options.external ?? {}, { limit: 'number' });
  for (const segment of options.segments ?? [])
    checkOptions<SegmentPattern>('a segment', segment, { name: 'string', pattern: 'string' }, [
      'name',
      'pattern',
    ]);
  const plan = createPlan(typeof start === 'string' ? [start] : start, options);
  return runAudit(plan, options);
}

async function* runAudit(
  plan: ReturnType<typeof createPlan>,
  { database, resume = false, onEnd, ...observer }: AuditOptions,
): AsyncGenerator<UrlReport> {
  await requireRenderer(plan);
  const folder = database === undefined ? await mkdtemp(join(tmpdir(), 'maycrawl-audit-')) : undefined;
  try {
    const run = await openRun(database ?? join(folder ?? '', 'run.sqlite'), resume ? 'resume' : 'new');
    try {
      const end = await crawlRun(run, plan, observer);
      onEnd?.(end);
      await evaluateRun(run, Date.now());
      yield* new UrlReporter(run, 'with-links').all(true);
    } finally {
      run.close();
    }
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

const AUDIT_OPTIONS: OptionTypes<AuditOptions> = {
  ...{ agents: 'array', profile: 'string', scope: 'string', urls: 'any', robots: ['string', 'object'] },
  ...{ maxPages: 'number', maxDepth: 'number', maxAlike: 'number', concurrency: 'number', delay: 'number' },
  ...{
    sitemaps: 'boolean',
    crawlDelay: 'boolean',
    missingPages: 'boolean',
    hostVariants: 'boolean',
    allowPrivateAddresses: 'boolean',
  },
  ...{ include: 'array', exclude: 'array', segments: 'array', headers: 'array', userAgent: 'string' },
  ...{
    timeout: 'number',
    render: 'object',
    external: 'object',
    database: 'string',
    resume: 'boolean',
    signal: 'object',
  },
  ...{ onEnd: 'function', onProgress: 'function', onRendered: 'function', now: 'function' },
};

const RENDER_OPTIONS: OptionTypes<RenderOptions> = {
  ...{ chromium: 'string', withoutSandbox: 'boolean', limit: 'number', timeout: 'number' },
};

const PAGE_CHECK_OPTIONS: OptionTypes<PageCheckOptions> = {
  ...{
    agents: 'array',
    profile: 'string',
    userAgent: 'string',
    timeout: 'number',
    allowPrivateAddresses: 'boolean',
  },
  signal: 'object',
};

/** Which links of a run are listed. @defaultValue all */
export interface LinkQuery {
  /** Only links to this URL. */
  readonly to?: string;
  /** Only links of this page. */
  readonly from?: string;
  /** Only links whose targets have one of these statuses: `404`, `4xx`, or `none` for no response; also scripts, stylesheets and images. */
  readonly statuses?: readonly string[];
}

/**
 * Lists links of a run, with their texts, the responses of their targets, and the crawlers that follow them.
 *
 * @example
 * ```js
 * import { listLinks } from 'maycrawl/audit';
 *
 * for await (const { from, texts } of listLinks('audit/run.sqlite', { to: 'https://example.com/old' })) console.log(from, texts);
 * ```
 *
 * @param database - the file of an audit that has ended.
 * @throws {RangeError} if the run does not contain the URL, or a status has another form.
 * @throws {RunError} if the file cannot be read, or has changed since its audit ended.
 */
export function listLinks(database: string, query: LinkQuery = {}): AsyncGenerator<UrlLink> {
  checkOptions<LinkQuery>('listLinks', query, { to: 'string', from: 'string', statuses: 'array' });
  requireString('listLinks: the database', database);
  requireStrings('listLinks: statuses', query.statuses ?? []);
  const wrong = query.statuses?.find((status) => !isStatusPattern(status));
  if (wrong !== undefined) throw new RangeError(`listLinks: unknown status ${quoteValue(wrong)}`);
  return readLinks(database, query);
}

async function* readLinks(database: string, { to, from, statuses }: LinkQuery): AsyncGenerator<UrlLink> {
  const run = await openRun(database, 'read');
  try {
    if (judgedAt(run) === null) throw new RunError('run-not-judged', `${database} has no verdicts`);
    yield* findLinks(run, { to: requireKey(run, to), from: requireKey(run, from), statuses });
  } finally {
    run.close();
  }
}

/** Returns the key of a URL; `undefined` if no URL is given. @throws {RangeError} if the run does not contain it. */
function requireKey(run: RunStore, url: string | undefined): number | undefined {
  if (url === undefined) return undefined;
  const key = run.findKey(resolveUrl(url, url) ?? url);
  if (key === undefined) throw new RangeError(`the run does not contain ${url}`);
  return key;
}

/**
 * Checks one page for several crawlers: whether they may fetch and index it, where its redirects lead, and which of its resources
 * robots.txt blocks. It requests each URL of the redirects once, and no resources.
 *
 * @example
 * ```js
 * import { checkPage } from 'maycrawl/audit';
 *
 * const { agents } = await checkPage('https://example.com/', { agents: ['Googlebot', 'GPTBot'] });
 * for (const { agent, answer, text } of agents) console.log(agent, answer, text);
 * ```
 *
 * @param url - an http or https URL.
 * @throws {TypeError} for a value of a wrong type.
 * @throws {RangeError} for another URL, an unknown profile, a name that no user-agent line can match, and a time out of its range.
 * @throws {Error} a failure of this machine, and the reason of the signal.
 */
export async function checkPage(url: string, options: PageCheckOptions = {}): Promise<PageReport> {
  checkOptions<PageCheckOptions>('checkPage', options, PAGE_CHECK_OPTIONS);
  checkRanges<PageCheckOptions>('checkPage', options, { timeout: AUDIT_RANGES.timeout });
  requireString('checkPage: the URL', url);
  if (options.agents !== undefined) requireStrings('checkPage: agents', options.agents);
  const { agents, profile: name = 'google', userAgent = 'maycrawl', timeout = 30_000 } = options;
  const profile = resolveProfile(name);
  const crawlers = agents?.map(resolveAgent) ?? COMMON_CRAWLERS;
  const start = parseStart(url);
  const { allowPrivateAddresses, signal } = options;
  const tools = openPageTools({ userAgent, profile, timeout, allowPrivateAddresses, url: start, signal });
  try {
    return await checkWith(start, crawlers, profile.name, tools);
  } finally {
    await tools.close();
  }
}
