// Log lines about failures of this machine and its databases. Every request may have one, and the metrics count each.
import type { Logger } from 'pino';

/** Logs a failure, unless another one was logged within the last second. */
export type LogFailure = (data: object, message: string) => void;

/** Milliseconds between two lines. */
const INTERVAL = 1_000;

/** Creates a log of failures, with at most one line a second. */
export function createFailureLog(log: Logger): LogFailure {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (data, message) => {
    if (performance.now() - loggedAt < INTERVAL) return;
    loggedAt = performance.now();
    log.warn(data, message);
  };
}
