/**
 * The error of a run that cannot be used.
 *
 * @module
 */

/** Why a file cannot be used as a run. */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly code:
    | 'no-run'
    | 'run-exists'
    | 'run-in-use'
    | 'run-from-the-future'
    | 'run-damaged'
    | 'run-unavailable';

  constructor(code: RunError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
