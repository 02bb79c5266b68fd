/**
 * What came of a delivery.
 *
 * @module
 */
import type { Severity } from '../../site.ts';
import type { Environment } from '../targets/target.ts';

/** Stable names of why a message was not delivered. */
export type FailureCode =
  | 'invalid-target'
  | 'sealed-target'
  | 'not-configured'
  | 'private-address'
  | 'blocked-port'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'redirect'
  | 'http-status'
  | 'smtp'
  | 'exec'
  | 'feed'
  | 'log';

export type Receipt =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      /** One line for people, without secrets. */
      readonly reason: string;
      /** When the receiver wants to be asked again, in milliseconds since 1970; `null` if it has not said. */
      readonly retryAt: number | null;
      /** Another try would come to the same. */
      readonly isFinal: boolean;
    };

/** A message was not delivered. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: FailureCode;
  readonly retryAt: number | null;
  readonly isFinal: boolean;

  constructor(
    code: FailureCode,
    message: string,
    { retryAt = null, isFinal = false }: { retryAt?: number | null; isFinal?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.retryAt = retryAt;
    this.isFinal = isFinal;
  }
}

/** What is handed to those who deliver. */
export interface Delivery {
  readonly environment: Environment;
  /** Its abort ends the delivery. */
  readonly signal: AbortSignal;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the target may be on a private address: omitted, as `true`, because targets are the operator's own. */
  readonly allowPrivate: boolean | undefined;
  readonly log: Log | undefined;
}

/** Takes one line about one alert. */
export type Log = (severity: Severity, line: string) => void;
