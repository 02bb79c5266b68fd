// What the simulation stops and kills, and how long that can explain what happened.
import { getGroup } from './parts.ts';

/** A part of the fleet that was stopped. Times are milliseconds since 1970. */
export interface Fault {
  readonly name: string;
  /** The process that was killed, as it names itself; a group of crawlers if it was their store; or another name. */
  readonly victim: string;
  readonly at: number;
  /** When it worked again. */
  readonly recoveredAt: number;
  /** The first of the sites that the victim fetched when it was killed, and another process wanted; `undefined` without such a site. */
  readonly handedOver?: number;
}

/** The number of sites of a fault that are handed over. */
export const HANDED_OVER = 20;
/** Milliseconds after a fault in which a failure is counted as one of the fault. */
const AFTERMATH = 5_000;
/** The longest time of one fetch in the simulation. Milliseconds. */
const LONGEST_FETCH = 6_000;
/** How much later than it was sent a site can record a request. Milliseconds. */
const DELAY = 1_000;
/**
 * Milliseconds after a failed call in which a client can be without its store: five times as long as the call took (3 s, 4 s in a busy
 * process), and while the one call that then tries the store takes as long again.
 */
const STORE_AFTERMATH = 24_000;

/** The name of the fault that was in progress. */
export function findFault(faults: readonly Fault[], time: number): string {
  const found = faults.find(({ at, recoveredAt }) => time >= at && time <= recoveredAt + AFTERMATH);
  return found?.name ?? 'no fault';
}

/** Two requests for the robots.txt of an origin, of which the second came before its time. */
interface Refetch {
  readonly group: string;
  readonly first: Fetch;
  readonly second: Fetch;
}

interface Fetch {
  readonly requester: string;
  /** When the site received the request, and when it had responded. The same time without a response. */
  readonly time: number;
  readonly endedAt: number;
}

/** When processes could not use their store, by their name. */
export type StoreFailures = ReadonlyMap<string, readonly number[]>;

/** Why an origin was fetched again before its time; `undefined` if nothing explains it. */
export function explainRefetch(
  { group, first, second }: Refetch,
  faults: readonly Fault[],
  storeFailures: StoreFailures,
): string | undefined {
  for (const { name, victim, at, recoveredAt } of faults) {
    if (at >= first.time - DELAY && at <= first.endedAt + LONGEST_FETCH) {
      if (victim === first.requester) return `${name}: its fetch was repeated`;
      // The service ends a fetch for which no client waits any more.
      if (group === 'service' && (victim === 'nginx' || getGroup(victim) === 'service'))
        return `${name}: no client waited for the fetch`;
    }
    const isInOutage = ({ time, endedAt }: Fetch): boolean =>
      endedAt >= at - LONGEST_FETCH && time <= recoveredAt + STORE_AFTERMATH;
    if (victim.split(' ').includes(group) && (isInOutage(first) || isInOutage(second)))
      return `${name}: clients fetched without the store`;
  }
  // A client without its store reads no response of others, and its own ones are not shared.
  const wasWithoutStore = ({ time, endedAt, requester }: Fetch): boolean =>
    storeFailures
      .get(requester)
      ?.some((failedAt) => endedAt >= failedAt - LONGEST_FETCH && time <= failedAt + STORE_AFTERMATH) ??
    false;
  if (wasWithoutStore(first) || wasWithoutStore(second))
    return 'no fault: the store did not respond within 3 s';
  return undefined;
}
