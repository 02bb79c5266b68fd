/**
 * How what is known of an origin changes: the same in every store.
 *
 * @module
 */
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

/** Changes what is known of an origin; `undefined` if what came is older than that. */
export type Change = (history: OriginHistory) => Changed | undefined;

/** A good answer has come. */
export function byAnswer(answer: GoodAnswer): Change {
  return (history) =>
    isBefore(answer.fetchedAt, history)
      ? undefined
      : { history: withAnswer(answer), event: eventOfAnswer(answer) };
}

/** One more failure. */
export function byFailure(failure: Failure): Change {
  return (history) =>
    isBefore(failure.at, history)
      ? undefined
      : { history: withFailure(history, failure), event: eventOfFailure(failure) };
}

function isBefore(time: number, { answer }: OriginHistory): boolean {
  return answer !== null && answer.fetchedAt > time && !isFromWrongClock(answer.fetchedAt, time);
}
