/**
 * How a run was begun, and how it ended: kept in the run, so that it can be gone on with and understood.
 *
 * @module
 */
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
  /** `complete`: there was nothing left to ask for; `no-answers`: a host answered no longer. */
  readonly why: 'complete' | 'max-pages' | 'interrupted' | 'no-answers';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** URLs that were left waiting. */
  readonly waiting: number;
}

/** How a run was begun. @throws {Error} if it never was. */
export async function settingsOf(run: RunStore): Promise<RunSettings> {
  const settings = (await run.get('settings')) as RunSettings | undefined;
  if (settings === undefined) throw new Error('the run has no settings');
  return settings;
}

/** How a run ended; `null` if it did not. */
export async function endOf(run: RunStore): Promise<RunEnd | null> {
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
  const counts = await run.counts();
  return STATES.every((state) => counts[state] === judgement.counts[state]) ? judgement.at : null;
}
