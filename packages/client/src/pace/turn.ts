// The right to send one request to an origin.
import {
  FINE,
  findResponse,
  type Outcome,
  type PacedResponse,
  toFailedOutcome,
  toOutcome,
} from './response-outcome.ts';

/** The right to send one request to an origin now. Its owner must end it: until then, other requests to the origin may wait. */
export interface Turn {
  /** The origin of the request. */
  readonly origin: string;
  /**
   * Ends the turn with the result of the request. Only the first call counts.
   *
   * @param response - status and `Retry-After`; or the response of fetch, undici, got, axios, Playwright or Puppeteer. Anything else counts
   *   as a success.
   */
  end(response?: unknown): void;
  /** Ends the turn of a request without a response, by its error. An error of this machine or of the program says nothing about the server. */
  fail(error: unknown): void;
  /** Ends the turn of a request that was not sent. */
  cancel(): void;
}

/** Creates a turn. @param onEnd - is called once, with what the request says about the server; `undefined` if nothing. */
export function createTurn(
  origin: string,
  date: () => number,
  onEnd: (outcome: Outcome | undefined) => void,
): Turn {
  let isOver = false;
  const finish = (getOutcome: () => Outcome | undefined): void => {
    if (isOver) return;
    isOver = true;
    let outcome: Outcome | undefined;
    try {
      outcome = getOutcome();
    } catch {
      // A result whose properties cannot be read says nothing, and must not keep the turn.
    }
    onEnd(outcome);
  };
  return {
    origin,
    end: (response) => finish(() => readOutcome(response, date())),
    fail: (error) => finish(() => toFailedOutcome(error, date())),
    cancel: () => finish(() => undefined),
  };
}

function readOutcome(response: unknown, date: number): Outcome {
  const found = isPacedResponse(response) ? response : findResponse(response);
  return found === undefined ? FINE : toOutcome(found, date);
}

function isPacedResponse(value: unknown): value is PacedResponse {
  return typeof value === 'object' && value !== null && 'retryAfter' in value && 'status' in value;
}

/**
 * Calls a function that sends a request, and ends its turn with the result or the error.
 *
 * @param signal - if it has aborted, an error says nothing about the server.
 */
export async function runInTurn<T>(
  turn: Turn,
  run: () => T | Promise<T>,
  signal?: AbortSignal | null,
): Promise<T> {
  try {
    const result = await run();
    turn.end(result);
    return result;
  } catch (error) {
    if (signal?.aborted) turn.cancel();
    else turn.fail(error);
    throw error;
  }
}
