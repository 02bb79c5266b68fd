// The results of deliveries.
import type { Severity } from '../../site.ts';
import type { Environment } from '../targets/target.ts';

/** The codes of failed deliveries. */
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

/** The result of a delivery. */
export type Receipt =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      /** One line for people, without secrets. */
      readonly reason: string;
      /** The time that the receiver requests for the next attempt, in milliseconds since 1970; `null` if it requests none. */
      readonly retryAt: number | null;
      /** Whether another attempt would have the same result. */
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

/** The options of one delivery. */
export interface Delivery {
  readonly environment: Environment;
  /** Its abort ends the delivery. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the target may be on a private address. @defaultValue true */
  readonly allowPrivateAddresses: boolean | undefined;
  readonly log: Log | undefined;
}

/** Receives one line about one alert. */
export type Log = (severity: Severity, line: string) => void;
