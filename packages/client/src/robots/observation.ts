/**
 * How the result of a fetch changes the history of its origin: the same in every store.
 *
 * @module
 */
import { boundFailure, boundResponse } from './bounds.ts';
import {
  type CachedResponse,
  type Failure,
  isFromWrongClock,
  type OriginHistory,
  withFailure,
  withResponse,
} from './history.ts';
import { type StoreEvent, toFailureEvent, toResponseEvent } from './store-event.ts';

/** What one fetch found out about an origin: a response that says what applies, or a failure. */
export type Observation = { readonly response: CachedResponse } | { readonly failure: Failure };

/** A history after a change, and the event that changed it. */
interface Changed {
  readonly history: OriginHistory;
  readonly event: StoreEvent;
}

/**
 * Changes a history. Returns `undefined` if the observation is older than the history.
 *
 * @param isOwner - whether the lease shows that the observation is the newest. Then the times, which a clock that was set back makes
 *   wrong, do not decide.
 */
export type Change = (history: OriginHistory, isOwner?: boolean) => Changed | undefined;

/** Creates the change that an observation makes. */
export function createChange(observation: Observation): Change {
  return 'response' in observation
    ? createResponseChange(boundResponse(observation.response))
    : createFailureChange(boundFailure(observation.failure));
}

function createResponseChange(response: CachedResponse): Change {
  return (history, isOwner = false) =>
    !isOwner && isBefore(response.fetchedAt, history)
      ? undefined
      : { history: withResponse(response), event: toResponseEvent(response) };
}

function createFailureChange(failure: Failure): Change {
  return (history, isOwner = false) =>
    !isOwner && isBefore(failure.at, history)
      ? undefined
      : { history: withFailure(history, failure), event: toFailureEvent(failure) };
}

function isBefore(time: number, { response }: OriginHistory): boolean {
  return response !== null && response.fetchedAt > time && !isFromWrongClock(response.fetchedAt, time);
}
