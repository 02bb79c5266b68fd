// How the result of a fetch changes the history of its origin: the same in every store.
import { boundFailure, boundResponse } from './bounds.ts';
import {
  type CachedResponse,
  type Failure,
  isFromWrongClock,
  NO_HISTORY,
  type OriginHistory,
  withFailure,
  withResponse,
} from './history.ts';
import { type StoreEvent, toFailureEvent, toResponseEvent } from './store-event.ts';

/** The result of one fetch for the history of an origin: a response (`successful` or `unavailable`), or a failure. */
export type Observation = { readonly response: CachedResponse } | { readonly failure: Failure };

/** A history after a change, and the event that changed it. */
interface Changed {
  readonly history: OriginHistory;
  readonly event: StoreEvent;
}

/**
 * Changes a history. Returns `undefined` if the observation is older than the history.
 *
 * @param isOwner - whether the caller owns the lease, so that the observation is the newest also if the clock was set back.
 */
export type Change = (history: OriginHistory, isOwner?: boolean) => Changed | undefined;

/**
 * Returns the history of an origin after the result of a fetch, for stores of callers. It is the same object if the observation is older than
 * the history.
 *
 * @param history - `undefined` if nothing is stored.
 */
export function applyObservation(
  history: OriginHistory = NO_HISTORY,
  observation: Observation,
): OriginHistory {
  return createChange(observation)(history)?.history ?? history;
}

/** Creates the change that an observation makes. */
export function createChange(observation: Observation): Change {
  if ('response' in observation) {
    const response = boundResponse(observation.response);
    return createChangeAt(response.fetchedAt, () => ({
      history: withResponse(response),
      event: toResponseEvent(response),
    }));
  }
  const failure = boundFailure(observation.failure);
  return createChangeAt(failure.at, (history) => ({
    history: withFailure(history, failure),
    event: toFailureEvent(failure),
  }));
}

function createChangeAt(time: number, change: (history: OriginHistory) => Changed): Change {
  return (history, isOwner = false) => (isOwner || !isBefore(time, history) ? change(history) : undefined);
}

function isBefore(time: number, { response }: OriginHistory): boolean {
  return response !== null && response.fetchedAt > time && !isFromWrongClock(response.fetchedAt, time);
}
