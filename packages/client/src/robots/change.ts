/**
 * How what is known of an origin changes: the same in every store.
 *
 * @module
 */
import { boundAnswer, boundFailure } from './bounds.ts';
import { eventOfAnswer, eventOfFailure, type StoreEvent } from './events.ts';
import {
  type Failure,
  type GoodAnswer,
  isFromWrongClock,
  type OriginHistory,
  withAnswer,
  withFailure,
} from './history.ts';

/** What is known after a change, and what happened. */
interface Changed {
  readonly history: OriginHistory;
  readonly event: StoreEvent;
}

/**
 * Changes what is known of an origin; `undefined` if what came is older than that.
 *
 * @param isOwner - whether the lease shows that it is the newest. Then the times, which a clock that was set back makes wrong, do
 *   not decide.
 */
export type Change = (history: OriginHistory, isOwner?: boolean) => Changed | undefined;

/** A good answer has come. */
export function byAnswer(given: GoodAnswer): Change {
  const answer = boundAnswer(given);
  return (history, isOwner = false) =>
    !isOwner && isBefore(answer.fetchedAt, history)
      ? undefined
      : { history: withAnswer(answer), event: eventOfAnswer(answer) };
}

/** One more failure. */
export function byFailure(given: Failure): Change {
  const failure = boundFailure(given);
  return (history, isOwner = false) =>
    !isOwner && isBefore(failure.at, history)
      ? undefined
      : { history: withFailure(history, failure), event: eventOfFailure(failure) };
}

function isBefore(time: number, { answer }: OriginHistory): boolean {
  return answer !== null && answer.fetchedAt > time && !isFromWrongClock(answer.fetchedAt, time);
}
