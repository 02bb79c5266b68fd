// Validates the options of an audit, and derives the settings of its run.
import { findProfile, resolveAgent } from '@maycrawl/core';
import { checkRanges, type NumberRange, quoteValue, requireStrings } from '@maycrawl/core/internal';
import type { CrawlOptions } from './crawl/crawl-options.ts';
import { EXTERNAL_LIMIT, type ExternalOptions } from './crawl/external/external-options.ts';
import { parseStart, requireScope } from './crawl/scope.ts';
import { RENDER_DEFAULTS, type RenderOptions } from './render/render-options.ts';
import type { RunSettings, ScopeKind, SegmentPattern } from './run/settings.ts';
import { createPatternSegments } from './segments/segments.ts';

/** Options of an audit. */
export interface PlanOptions {
  /** Crawlers for which it is judged. @defaultValue `['Googlebot']` */
  readonly agents?: readonly string[];
  /** The name of the profile by which robots.txt is read. @defaultValue `'google'` */
  readonly profile?: string;
  /** What is audited: the host of the start, its registrable domain, or what begins with the start. @defaultValue `'host'` */
  readonly scope?: ScopeKind;
  /** Maximum number of pages. @defaultValue no limit */
  readonly maxPages?: number;
  /** Maximum number of links from a start. @defaultValue no limit */
  readonly maxDepth?: number;
  /** Maximum number of URLs of one shape, as in calendars; 0: no limit. @defaultValue 2000 */
  readonly maxAlike?: number;
  /** Whether the sitemaps that robots.txt names are read. @defaultValue `true` */
  readonly sitemaps?: boolean;
  /** Further URLs to start from, in pieces. */
  readonly urls?: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  /** A robots.txt that replaces that of each site. */
  readonly robots?: string | Uint8Array;
  /** Patterns as in rules: only paths that match one of them are audited. */
  readonly include?: readonly string[];
  /** Patterns as in rules: paths that match one of them are not audited. */
  readonly exclude?: readonly string[];
  /** Segments of reports. @defaultValue the largest folders */
  readonly segments?: readonly SegmentPattern[];
  /** Maximum number of concurrent requests to one host. @defaultValue 8 */
  readonly concurrency?: number;
  /** Milliseconds between requests to one host. @defaultValue 0 */
  readonly delay?: number;
  /** Whether the Crawl-delay of the crawlers is obeyed. @defaultValue `false` */
  readonly crawlDelay?: boolean;
  /** Whether a URL that does not exist is requested from each site. @defaultValue `true` */
  readonly missingPages?: boolean;
  /** Whether the variants of the hosts of the starts are requested: http and https, with and without www. @defaultValue `true` */
  readonly hostVariants?: boolean;
  /** Headers of requests to the origins of the starts; of an http start also to https on the same host. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The User-Agent header. @defaultValue `'maycrawl'` */
  readonly userAgent?: string;
  /** Milliseconds for one page. @defaultValue 30,000 */
  readonly timeout?: number;
  /** Whether private addresses may be connected to. @defaultValue only those of the starts */
  readonly allowPrivateAddresses?: boolean;
  /** How pages are rendered. @defaultValue they are not */
  readonly render?: RenderOptions;
  /** Whether links to other sites, and scripts, stylesheets and images, are checked. @defaultValue they are not */
  readonly external?: ExternalOptions;
}

/** A plan of an audit. */
export interface AuditPlan {
  /** The settings of a new run; `null` for an existing one. */
  readonly settings: RunSettings | null;
  /** Limits and segments that replace those of an existing run. */
  readonly limits: Partial<Pick<RunSettings, 'maxPages' | 'maxDepth' | 'segments' | 'render' | 'external'>>;
  readonly robots: Uint8Array | null;
  readonly crawl: Pick<
    CrawlOptions,
    | 'requestsMissingPages'
    | 'requestsHostVariants'
    | 'requestsTdmRep'
    | 'userAgent'
    | 'headers'
    | 'concurrency'
    | 'spacing'
    | 'obeysCrawlDelay'
    | 'timeout'
    | 'allowPrivateAddresses'
  >;
  /** How pages are rendered, if the settings of the run say so. */
  readonly render: RenderOptions;
  /** Opens the list of further URLs in the settings. The abort of the signal ends its requests. */
  readonly openList: ((name: string, signal: AbortSignal) => AsyncIterable<readonly string[]>) | undefined;
}

const ANY: number = Number.POSITIVE_INFINITY;
const HOUR = 3_600_000;

/** The ranges of the options that are numbers. Times are milliseconds. */
export const AUDIT_RANGES: Readonly<
  Record<'maxPages' | 'maxDepth' | 'maxAlike' | 'concurrency' | 'delay' | 'timeout', NumberRange>
> = {
  maxPages: [1, ANY, 'whole'],
  maxDepth: [0, ANY, 'whole'],
  maxAlike: [0, ANY, 'whole'],
  concurrency: [1, 256, 'whole'],
  delay: [0, HOUR],
  timeout: [1, HOUR],
};

const SCOPES: readonly ScopeKind[] = ['host', 'domain', 'prefix'];

/** The name of a list that the caller provides. */
const CALLERS_LIST = 'urls';

/**
 * Creates the plan of an audit.
 *
 * @param starts - http or https URLs; none to continue a run.
 * @throws {RangeError} for a URL, an agent, a profile or a scope that cannot be audited, and for a number out of its range.
 * @throws {TypeError} for a list, a robots.txt or URLs of another type.
 */
export function createPlan(starts: readonly string[], options: PlanOptions): AuditPlan {
  const { robots, urls, maxPages, maxDepth, segments, render, external } = options;
  checkRanges<PlanOptions>('audit', options, AUDIT_RANGES);
  requireLists(starts, options);
  if (external !== undefined && robots !== undefined)
    throw new RangeError(
      'audit: a given robots.txt replaces those of all sites, so links to other sites cannot be checked',
    );
  checkRanges<ExternalOptions>('external of audit', external ?? {}, { limit: [0, ANY, 'whole'] });
  if (segments !== undefined) createPatternSegments(segments);
  const limits = {
    ...(maxPages !== undefined && { maxPages }),
    ...(maxDepth !== undefined && { maxDepth }),
    ...(segments !== undefined && { segments }),
    ...(render !== undefined && { render: { limit: (render.limit ?? RENDER_DEFAULTS.limit) || null } }),
    ...(external !== undefined && { external: { limit: (external.limit ?? EXTERNAL_LIMIT) || null } }),
  };
  return {
    settings: starts.length === 0 ? null : createSettings(starts, options, limits),
    limits,
    robots: robots === undefined ? null : typeof robots === 'string' ? Buffer.from(robots) : robots,
    crawl: {
      userAgent: options.userAgent ?? 'maycrawl',
      headers: (options.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]),
      concurrency: options.concurrency ?? 8,
      spacing: options.delay ?? 0,
      obeysCrawlDelay: options.crawlDelay === true,
      requestsMissingPages: options.missingPages ?? true,
      requestsHostVariants: options.hostVariants ?? true,
      requestsTdmRep: true,
      timeout: options.timeout ?? 30_000,
      allowPrivateAddresses: options.allowPrivateAddresses,
    },
    render: render ?? {},
    openList: urls && (() => toAsync(urls)),
  };
}

/** @throws {TypeError} for a list with other elements than the options need. */
function requireLists(starts: readonly string[], options: PlanOptions): void {
  const lists = { starts, agents: options.agents, include: options.include, exclude: options.exclude };
  for (const [name, list = []] of Object.entries(lists)) requireStrings(`audit: ${name}`, list);
  for (const header of options.headers ?? [])
    if (!Array.isArray(header) || header.length !== 2 || !header.every((each) => typeof each === 'string'))
      throw new TypeError('audit: headers must be pairs of a name and a value');
  const { robots, urls } = options;
  if (robots !== undefined && typeof robots !== 'string' && !(robots instanceof Uint8Array))
    throw new TypeError(`audit: robots must be text or bytes, not ${quoteValue(robots)}`);
  const isIterable = typeof urls === 'object' && (Symbol.iterator in urls || Symbol.asyncIterator in urls);
  if (urls !== undefined && !isIterable)
    throw new TypeError(`audit: urls must be an iterable of lists of URLs, not ${quoteValue(urls)}`);
}

function createSettings(
  starts: readonly string[],
  options: PlanOptions,
  limits: AuditPlan['limits'],
): RunSettings {
  const { agents = ['Googlebot'], profile = 'google', scope = 'host', maxAlike = 2000 } = options;
  if (findProfile(profile) === undefined) throw new RangeError(`unknown profile "${profile}"`);
  if (!SCOPES.includes(scope))
    throw new RangeError(`audit: scope must be one of ${SCOPES.join(', ')}, not ${quoteValue(scope)}`);
  const settings: RunSettings = {
    starts: starts.map(parseStart),
    agents: [...new Set(agents.map((name) => resolveAgent(name).name))],
    scope,
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    maxPages: null,
    maxDepth: null,
    ...limits,
    maxAlike: maxAlike === 0 ? null : maxAlike,
    list: options.urls === undefined ? null : CALLERS_LIST,
    sitemaps: options.sitemaps ?? true,
    isRobotsGiven: options.robots !== undefined,
    profile,
    startedAt: Date.now(),
  };
  requireScope(settings);
  return settings;
}

async function* toAsync<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
