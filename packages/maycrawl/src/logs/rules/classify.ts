// The class of a request: whether the rules that the crawler had read, or may have read, allow it.
import type { Allowed, Disallowed } from '@maycrawl/core';
import type { Fetches } from './fetches.ts';
import type { ServedVersions, Timeline, Version } from './timeline.ts';
import type { VersionVerdict } from './version-rules.ts';

/** All classes, in the order of reports. */
export const REQUEST_CLASSES = [
  'robots-txt',
  'allowed',
  'grace',
  'violation',
  'outage',
  'unknown-version',
  'exempt',
] as const;

/**
 * The class of a request. `robots-txt`: it is for /robots.txt. `allowed`: a version that the crawler may have read allows it, and so does the
 * newest. `grace`: such a version allows it, and the newest does not. `violation`: no such version allows it. `outage`: the last fetch of
 * robots.txt failed. `unknown-version`: it is unknown which version was served. `exempt`: the crawler ignores robots.txt, as its operator
 * documents.
 */
export type RequestClass = (typeof REQUEST_CLASSES)[number];

/** Whether a crawler had read the version that forbids its request: `never` if the log shows no fetch in the time that the crawler caches a file. */
export type ReadState = 'yes' | 'never' | 'unknown';

/** A request, and what is known of its crawler. */
export interface ClassifiedRequest {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The time for which the crawler caches a robots.txt, in milliseconds. */
  readonly cachePeriod: number;
  readonly timeline: Timeline;
  readonly fetches: Fetches;
  /** The time of the first line of the log, in milliseconds since 1970. */
  readonly logStart: number;
  readonly decide: (version: Version) => VersionVerdict;
}

/** The class, and the version that decides. */
export interface Classification {
  readonly class: RequestClass;
  /** The newest version that the crawler may have read; `undefined` if no version decides. */
  readonly version?: Version;
  readonly verdict?: Allowed | Disallowed;
  readonly isAmbiguous?: boolean;
  /** Of a violation. */
  readonly read?: ReadState;
}

/** Classifies a request that is not for robots.txt, of a crawler that obeys robots.txt. */
export function classifyRequest(request: ClassifiedRequest): Classification {
  const { time, timeline, fetches, decide } = request;
  const { last } = fetches;
  if (last?.kind === 'absent') return { class: 'allowed' };
  if (last?.kind === 'failed') return { class: 'outage' };
  const { versions, isComplete } = findPossible(request);
  const newest = timeline.getAt(time);
  const decided = versions.at(-1);
  if (newest === undefined || decided === undefined) return { class: 'unknown-version' };
  const { verdict, isAmbiguous } = decide(decided);
  const found = { version: decided, verdict, isAmbiguous };
  const allows = (version: Version): boolean =>
    (version === decided ? verdict : decide(version).verdict).allowed;
  if (versions.some(allows)) return { ...found, class: allows(newest) ? 'allowed' : 'grace' };
  if (!isComplete) return { class: 'unknown-version' };
  return { ...found, class: 'violation', read: getReadState(request, decided) };
}

/** Finds the versions that the crawler may have read: that of its last fetch, or all of the time for which it caches a file. */
function findPossible({ time, cachePeriod, timeline, fetches }: ClassifiedRequest): ServedVersions {
  const { last, lastRead } = fetches;
  if (last?.kind === 'read' && time - last.time <= cachePeriod)
    return { versions: lastRead === undefined ? [] : [lastRead], isComplete: lastRead !== undefined };
  return timeline.getBetween(time - cachePeriod, time);
}

function getReadState(
  { time, cachePeriod, fetches, logStart }: ClassifiedRequest,
  version: Version,
): ReadState {
  if (fetches.lastRead === version) return 'yes';
  const start = time - cachePeriod;
  return logStart <= start && fetches.lastTime < start ? 'never' : 'unknown';
}
