// The settings and the end of a run, which are stored in it.
import { isInvalidAgentError, resolveAgent, resolveProfile } from '@maycrawl/core';
import { resolveUrl } from '@maycrawl/core/indexability';
import { isStringList } from '@maycrawl/core/internal';
import { type Counts, STATES } from './records/url.ts';
import { RunError } from './run-error.ts';
import type { RunStore } from './run-store.ts';
import type { HostCounts } from './tables/host-table.ts';

/** The scope of an audit: URLs of the host, of the registrable domain, or that begin with the start. */
export type ScopeKind = 'host' | 'domain' | 'prefix';

/** A part of the site (segments/segments.ts). Several patterns can have the same name. */
export interface SegmentPattern {
  readonly name: string;
  /** Of paths, as in rules of robots.txt. */
  readonly pattern: string;
}

/** The settings of a run. */
export interface RunSettings {
  readonly starts: readonly string[];
  /** Names of crawlers (`resolveAgent`). The agent of a verdict is an index of this list. */
  readonly agents: readonly string[];
  readonly scope: ScopeKind;
  /** Maximum number of pages; `null`: unlimited. */
  readonly maxPages: number | null;
  /** Maximum number of links from a start; `null`: unlimited. */
  readonly maxDepth: number | null;
  /** Patterns of paths, as in rules of robots.txt. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Maximum number of URLs of one shape (crawl/url-shape.ts); `null`: unlimited. */
  readonly maxAlike: number | null;
  /** A file or URL with further starts; `null`: none. */
  readonly list: string | null;
  /** Whether sitemaps are read. */
  readonly sitemaps: boolean;
  /** Whether a given file replaces those of the sites. */
  readonly isRobotsGiven: boolean;
  readonly profile: string;
  /** Segments of reports. @defaultValue the largest folders */
  readonly segments?: readonly SegmentPattern[];
  /** The rendered pass, with its maximum number of pages (`null`: unlimited); `null` or omitted: pages are not rendered. */
  readonly render?: { readonly limit: number | null } | null;
  /** Maximum number of URLs of other sites and of resources that are checked (`null`: unlimited); `null` or omitted: none are. */
  readonly external?: { readonly limit: number | null } | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The end of a run. A run in progress and one that was killed have none. */
export interface RunEnd {
  /** `complete`: no URL is waiting; `no-answers`: hosts no longer responded; `sitemap-time`: sitemaps are unread. */
  readonly reason: 'complete' | 'max-pages' | 'interrupted' | 'no-responses' | 'sitemap-time';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Number of waiting URLs. */
  readonly waiting: number;
  /** Which part of the hosts no longer responded, for `no-answers`. */
  readonly hosts?: HostCounts;
}

/** Returns the settings of a run. @throws {RunError} if it has none, or they are invalid. */
export function getSettings(run: RunStore): RunSettings {
  const settings = findSettings(run);
  if (settings === undefined) throw new RunError('no-run', 'it contains no audit');
  return settings;
}

/** Returns the settings of a run; `undefined` if it has none. @throws {RunError} if they are invalid. */
export function findSettings(run: RunStore): RunSettings | undefined {
  let settings: unknown;
  try {
    settings = run.get('settings');
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw damaged('they are not JSON');
  }
  if (settings === undefined) return undefined;
  const wrong = findWrongSetting(settings);
  if (wrong !== undefined) throw damaged(wrong);
  return settings as RunSettings;
}

function damaged(what: string): RunError {
  return new RunError('run-damaged', `the settings of the run cannot be used: ${what}`);
}

const isLimit = (value: unknown): boolean => value === null || Number.isSafeInteger(value);
const isSegmentPattern = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<SegmentPattern>).name === 'string' &&
  typeof (value as Partial<SegmentPattern>).pattern === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** The check of each setting. The crawl checks starts and patterns further. */
const PARTS: Readonly<Required<Record<keyof RunSettings, (value: unknown) => boolean>>> = {
  starts: (value) => isStringList(value) && (value as string[]).every((url) => resolveUrl(url, url) !== null),
  agents: (value) => isStringList(value) && (value as string[]).length > 0,
  scope: (value) => value === 'host' || value === 'domain' || value === 'prefix',
  include: isStringList,
  exclude: isStringList,
  maxPages: isLimit,
  maxDepth: isLimit,
  maxAlike: isLimit,
  list: (value) => value === null || typeof value === 'string',
  sitemaps: isBoolean,
  isRobotsGiven: isBoolean,
  profile: (value) => typeof value === 'string',
  segments: (value) => value === undefined || (Array.isArray(value) && value.every(isSegmentPattern)),
  render: (value) => value == null || isLimit((value as { readonly limit?: unknown }).limit),
  external: (value) => value == null || isLimit((value as { readonly limit?: unknown }).limit),
  startedAt: (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_TIME,
};

/** The largest time of ECMAScript, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/** Returns the problem of settings; `undefined` if there is none. */
function findWrongSetting(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'they are not an object';
  const settings = value as RunSettings;
  for (const [name, isRight] of Object.entries(PARTS))
    if (!isRight(settings[name as keyof RunSettings])) return `"${name}" is invalid`;
  try {
    settings.agents.forEach(resolveAgent);
    resolveProfile(settings.profile);
  } catch (error) {
    if (error instanceof RangeError || isInvalidAgentError(error)) return error.message;
    throw error;
  }
  return undefined;
}

/** Returns the end of a run; `null` if it has none. */
export function getEnd(run: RunStore): RunEnd | null {
  return (run.get('end') as RunEnd | undefined) ?? null;
}

/** The time when all URLs were judged, and their counts then. */
interface Judgement {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly counts: Partial<Counts>;
}

/** Marks that the run has verdicts and findings about its current URLs. @param at - milliseconds since 1970; `null`: it has none. */
export function setJudged(run: RunStore, at: number | null): void {
  const judgement: Judgement | null = at === null ? null : { at, counts: run.counts() };
  run.set('judged', judgement);
}

/** Returns the time when the URLs were judged, in milliseconds since 1970; `null` if they were not, or have changed since. */
export function judgedAt(run: RunStore): number | null {
  const judgement = run.get('judged') as Judgement | null | undefined;
  if (!judgement || typeof judgement.counts !== 'object') return null;
  const counts = run.counts();
  return STATES.every((state) => counts[state] === judgement.counts[state]) ? judgement.at : null;
}
