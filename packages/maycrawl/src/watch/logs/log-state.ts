// What is stored of a log from one reading to the next. Its size has limits.
import type { JudgedPart } from '../../logs/judge-log.ts';
import type { CrawlerState } from '../../logs/log-judge.ts';
import type { CrawlerSummary } from '../../logs/summary/log-summary.ts';
import type { TrackedLog } from './new-lines.ts';

/** The time between two readings, in milliseconds since 1970. */
export interface Period {
  /** The reading before; at the first one, the time of the first line. */
  readonly from: number;
  readonly to: number;
}

/** What a crawler did in a period. Spoofed requests do not count. */
export interface CrawlerCounts {
  readonly requests: number;
  readonly violations: number;
}

interface WatchedCrawler extends CrawlerState {
  /** All requests since the first reading, also spoofed ones. */
  readonly requests: number;
  /** In the last periods of the log, the newest last. */
  readonly counts: readonly CrawlerCounts[];
  /** When it came last, in milliseconds since 1970. */
  readonly lastSeen: number;
  /** Whether it is reported that it no longer fetches robots.txt. */
  readonly isWithoutRobots: boolean;
}

export interface WatchedLog {
  readonly tracked: TrackedLog;
  /** The time from which the log is complete, in milliseconds since 1970. */
  readonly from: number | null;
  /** All lines since the first reading. */
  readonly lines: number;
  /** The newest last. */
  readonly periods: readonly Period[];
  /** The crawlers by name. */
  readonly crawlers: readonly (readonly [name: string, crawler: WatchedCrawler])[];
}

/** Periods that later ones are compared with. */
const MAX_PERIODS = 7;
/** Crawlers that the catalogue does not know. */
const MAX_UNKNOWN = 1_000;

/** Reads a state from the database; `null` if there is none. @throws {SyntaxError} if it is damaged. */
export function readWatchedLog(text: string | null): WatchedLog | null {
  if (text === null) return null;
  const value = JSON.parse(text) as WatchedLog | null;
  const isRight =
    Array.isArray(value?.tracked?.files) && Array.isArray(value.periods) && Array.isArray(value.crawlers);
  if (!isRight) throw new SyntaxError('the state of a log is damaged');
  return value as WatchedLog;
}

/** Removes what a gap in a log makes unknown: which robots.txt the crawlers had read. */
export function forgetFetches(log: WatchedLog): WatchedLog {
  const fetches = { last: null, lastTime: null, lastReadTime: null };
  return {
    ...log,
    from: null,
    crawlers: log.crawlers.map(([name, crawler]) => [name, { ...crawler, fetches, lastPage: null }]),
  };
}

/** What was read. */
export interface ReadPart {
  readonly part: JudgedPart;
  readonly period: Period;
  readonly tracked: TrackedLog;
  /** The crawlers of which it is reported, now or before, that they no longer fetch robots.txt. */
  readonly withoutRobots: ReadonlySet<string>;
  /** Whether the catalogue knows a crawler. */
  readonly isDocumented: (name: string) => boolean;
}

/** Adds a period to a log. */
export function addPeriod(
  before: WatchedLog | null,
  { part: { summary, state }, period, tracked, withoutRobots, isDocumented }: ReadPart,
): WatchedLog {
  const crawlers = new Map(before?.crawlers);
  const states = new Map(state.crawlers);
  const summaries = new Map(summary.crawlers.map((each) => [each.crawler, each] as const));
  for (const name of new Set([...crawlers.keys(), ...summaries.keys()])) {
    const [old, now] = [crawlers.get(name), summaries.get(name)];
    const found = states.get(name) ?? old;
    // A name that only spoofed requests had is no crawler that came.
    if (found === undefined) continue;
    crawlers.set(name, {
      fetches: found.fetches,
      lastPage: found.lastPage,
      requests: (old?.requests ?? 0) + (now?.requests ?? 0),
      counts: [...(old?.counts ?? []), getCounts(now)].slice(-MAX_PERIODS),
      lastSeen: now === undefined ? (old?.lastSeen ?? period.to) : period.to,
      isWithoutRobots: withoutRobots.has(name),
    });
  }
  const unknown = [...crawlers].filter(([name]) => !isDocumented(name));
  unknown.sort(([, a], [, b]) => b.lastSeen - a.lastSeen || b.requests - a.requests);
  for (const [name] of unknown.slice(MAX_UNKNOWN)) crawlers.delete(name);
  return {
    ...{ tracked, from: state.from, lines: (before?.lines ?? 0) + summary.lines.read },
    periods: [...(before?.periods ?? []), period].slice(-MAX_PERIODS),
    crawlers: [...crawlers],
  };
}

/** Returns the counts of a crawler in a period. */
export function getCounts(summary: CrawlerSummary | undefined): CrawlerCounts {
  if (summary === undefined) return { requests: 0, violations: 0 };
  const { requests, identity, classes } = summary;
  return { requests: requests - identity.spoofed, violations: classes.violation };
}
