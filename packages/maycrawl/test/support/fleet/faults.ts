// What the simulation stops and kills, and how long that can explain what happened.

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
/** Milliseconds after which all clients use a store that works again: they try five times as long as the failed call took, 3 s at most. */
const STORE_AFTERMATH = 20_000;

/** The name of the fault that was in progress. */
export function findFault(faults: readonly Fault[], time: number): string {
  const found = faults.find(({ at, recoveredAt }) => time >= at && time <= recoveredAt + AFTERMATH);
  return found?.name ?? 'no fault';
}

/** Two requests for the robots.txt of an origin, of which the second came before its time. */
interface Refetch {
  readonly group: string;
  readonly first: { readonly time: number; readonly requester: string };
  readonly second: { readonly time: number; readonly requester: string };
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
    if (victim === first.requester && at >= first.time && at <= first.time + LONGEST_FETCH)
      return `${name}: its fetch was repeated`;
    const isInOutage = ({ time }: { readonly time: number }): boolean =>
      time >= at - LONGEST_FETCH && time <= recoveredAt + STORE_AFTERMATH;
    if (victim.split(' ').includes(group) && (isInOutage(first) || isInOutage(second)))
      return `${name}: clients fetched without the store`;
  }
  // A client without its store reads no response of others, and its own ones are not shared.
  const wasWithoutStore = ({ time, requester }: Refetch['first']): boolean =>
    storeFailures
      .get(requester)
      ?.some((failedAt) => time >= failedAt - LONGEST_FETCH && time <= failedAt + STORE_AFTERMATH) ?? false;
  if (wasWithoutStore(first) || wasWithoutStore(second))
    return 'no fault: the store did not respond within 3 s';
  return undefined;
}
