// The error of a request that a pace does not start.
import { CodedError } from '../coded-error.ts';

/** The stable code of a request that was not started. The code names the limit. */
export type PaceErrorCode =
  /** The request would wait, or has waited, longer than `maxWait`: the origin pauses, or other requests come first. */
  | 'max-wait'
  /** `maxQueued` requests to the origin wait. */
  | 'max-queued'
  /** `maxTotalQueued` requests wait, to all origins. */
  | 'max-total-queued'
  /** `maxOrigins` origins pause or have requests. */
  | 'max-origins';

/** A request was not started, because a limit of the pace was reached. A later attempt may succeed. */
export class PaceError extends CodedError<PaceErrorCode> {
  override readonly name = 'PaceError';
  /** Always `true`, as in the other refusals: a queue puts the URL back. */
  readonly temporary = true;
  /** When to try again at the earliest, in milliseconds since 1970. */
  readonly retryAt: number;
  /** The origin of the request. */
  readonly origin: string;

  constructor(code: PaceErrorCode, message: string, origin: string, retryAt: number) {
    super(code, message);
    this.origin = origin;
    this.retryAt = retryAt;
  }
}

/** An error after which a later attempt may succeed: a {@link PaceError}, or a temporary ForbiddenUrlError. */
export interface TemporaryRefusal extends Error {
  readonly temporary: true;
  /** When to try again, in milliseconds since 1970; `null` if unknown. */
  readonly retryAt: number | null;
}

/**
 * Checks whether an error is a refusal after which a later attempt may succeed: a {@link PaceError}, or a temporary ForbiddenUrlError. A queue
 * puts the URL back until `retryAt`.
 *
 * @example
 * if (isTemporaryRefusal(error)) queue.push({ url, at: error.retryAt ?? Date.now() + 60_000 });
 */
export function isTemporaryRefusal(error: unknown): error is TemporaryRefusal {
  return error instanceof Error && 'temporary' in error && error.temporary === true && 'retryAt' in error;
}
