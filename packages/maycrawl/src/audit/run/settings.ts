/**
 * How a run was begun, and how it ended: kept in the run, so that it can be gone on with and understood.
 *
 * @module
 */
import { resolveAgent, resolveProfile } from '@maycrawl/core';
import { resolveUrl } from '@maycrawl/core/indexability';
import { RunError } from './run-error.ts';
import { type Counts, type RunStore, STATES } from './run-store.ts';

/** Which URLs are audited: of the host, of the registrable domain, or those that begin with the start. */
export type ScopeKind = 'host' | 'domain' | 'prefix';

/** What a run was asked to do. */
export interface RunSettings {
  readonly starts: readonly string[];
  /** Names of crawlers, as `resolveAgent` understands them; a verdict's agent is a place in this list. */
  readonly agents: readonly string[];
  readonly scope: ScopeKind;
  /** Pages that are asked for at most; `null`: all. */
  readonly maxPages: number | null;
  /** Steps from a start; `null`: any number. */
  readonly maxDepth: number | null;
  /** Patterns of paths, as in rules of robots.txt. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** URLs of one shape (crawl/shape.ts) that are asked for at most; `null`: all. */
  readonly maxAlike: number | null;
  /** A file or URL with further URLs to begin with; `null`: none. */
  readonly list: string | null;
  /** Whether sitemaps are read. */
  readonly sitemaps: boolean;
  /** Whether the run is judged by a file that was given, instead of the sites' own. */
  readonly isRobotsGiven: boolean;
  readonly profile: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** How a run ended; there is none as long as it goes on, and after it was killed. */
export interface RunEnd {
  /** `complete`: no URL was left; `no-answers`: a host did not respond any more; `sitemap-time`: sitemaps stayed unread. */
  readonly why: 'complete' | 'max-pages' | 'interrupted' | 'no-answers' | 'sitemap-time';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** URLs that were left waiting. */
  readonly waiting: number;
}

/** How a run was begun. @throws {RunError} if it never was, or that cannot be understood. */
export async function getSettings(run: RunStore): Promise<RunSettings> {
  const settings = await findSettings(run);
  if (settings === undefined) throw new RunError('no-run', 'no audit was begun in it');
  return settings;
}

/** How a run was begun; `undefined` if it never was. @throws {RunError} if that cannot be understood. */
export async function findSettings(run: RunStore): Promise<RunSettings | undefined> {
  let settings: unknown;
  try {
    settings = await run.get('settings');
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw damaged('they are no JSON');
  }
  if (settings === undefined) return undefined;
  const wrong = findWrongSetting(settings);
  if (wrong !== undefined) throw damaged(wrong);
  return settings as RunSettings;
}

function damaged(what: string): RunError {
  return new RunError('run-damaged', `the settings of the run cannot be used: ${what}`);
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const isLimit = (value: unknown): boolean => value === null || Number.isSafeInteger(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

/** What each setting must be. Starts and patterns are looked at by the crawl, which alone uses them. */
const PARTS: Readonly<Record<keyof RunSettings, (value: unknown) => boolean>> = {
  starts: (value) => isTexts(value) && (value as string[]).every((url) => resolveUrl(url, url) !== null),
  agents: (value) => isTexts(value) && (value as string[]).length > 0,
  scope: (value) => value === 'host' || value === 'domain' || value === 'prefix',
  include: isTexts,
  exclude: isTexts,
  maxPages: isLimit,
  maxDepth: isLimit,
  maxAlike: isLimit,
  list: (value) => value === null || typeof value === 'string',
  sitemaps: isFlag,
  isRobotsGiven: isFlag,
  profile: (value) => typeof value === 'string',
  startedAt: (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_TIME,
};

/** The largest time of ECMAScript, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/** What is wrong with settings; `undefined` if nothing is. */
function findWrongSetting(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'they are no object';
  const settings = value as RunSettings;
  for (const [name, isRight] of Object.entries(PARTS))
    if (!isRight(settings[name as keyof RunSettings])) return `"${name}" is not what it must be`;
  try {
    // Other releases took other names.
    settings.agents.forEach(resolveAgent);
    resolveProfile(settings.profile);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  return undefined;
}

/** How a run ended; `null` if it did not. */
export async function getEnd(run: RunStore): Promise<RunEnd | null> {
  return ((await run.get('end')) as RunEnd | undefined) ?? null;
}

/** When all URLs were judged, and how many there were then. */
interface Judgement {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly counts: Counts;
}

/** Writes that all URLs were judged, as they are now. @param at - milliseconds since 1970; `null`: they no longer are. */
export async function setJudged(run: RunStore, at: number | null): Promise<void> {
  const judgement: Judgement | null = at === null ? null : { at, counts: await run.counts() };
  await run.set('judged', judgement);
}

/**
 * When the URLs were judged, in milliseconds since 1970; `null` if they were not, or the run was gone on with since.
 */
export async function judgedAt(run: RunStore): Promise<number | null> {
  const judgement = (await run.get('judged')) as Judgement | null | undefined;
  if (!judgement) return null;
  if (typeof judgement.counts !== 'object') return null;
  const counts = await run.counts();
  return STATES.every((state) => counts[state] === judgement.counts[state]) ? judgement.at : null;
}
