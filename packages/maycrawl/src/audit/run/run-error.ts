// Errors of runs.

/** A run cannot be used. */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly code:
    | 'no-run'
    | 'run-exists'
    | 'run-in-use'
    | 'schema-too-new'
    | 'run-damaged'
    | 'run-unavailable'
    | 'run-not-judged';

  constructor(code: RunError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
