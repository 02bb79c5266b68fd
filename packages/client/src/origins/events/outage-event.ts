// The beginning and the end of an outage, as events. A failure that the outage policy of a profile does not count is no outage.
import { getOutageStart, type OriginHistory, type Outage } from '../../robots/history.ts';
import { getFailureClass } from '../../robots/outage/failure-class.ts';
import { type FailureProfile, getUncountedClasses } from '../../robots/outage/outage-policy.ts';
import type { OutageMessage } from './client-event.ts';

/** The history of an origin before and after a fetch. */
interface FetchedHistory {
  readonly origin: string;
  readonly before: OriginHistory;
  readonly after: OriginHistory;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns the event of a fetch by which an outage began or ended; `undefined` if the outage continues, and without one.
 *
 * @param getRetryAt - returns when the origin is fetched again.
 */
export function findOutageEvent(
  profile: FailureProfile,
  { origin, before, after, now }: FetchedHistory,
  getRetryAt: () => number,
): OutageMessage | undefined {
  const uncounted = getUncountedClasses(profile);
  const getOutage = ({ outage }: OriginHistory): Outage | null =>
    outage !== null && uncounted.includes(getFailureClass(outage)) ? null : outage;
  const [earlier, later] = [getOutage(before), getOutage(after)];
  if (earlier === null && later !== null) {
    const { code, status } = later;
    const since = getOutageStart(after, now, uncounted);
    return { kind: 'outage-began', origin, since, code, status, retryAt: getRetryAt() };
  }
  if (earlier === null || later !== null) return undefined;
  const { code, status, failures } = earlier;
  const since = getOutageStart(before, now, uncounted);
  return { kind: 'outage-ended', origin, since, code, status, failures, duration: Math.max(0, now - since) };
}
