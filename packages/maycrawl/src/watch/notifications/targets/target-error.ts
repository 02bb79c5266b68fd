// The error of a text that is not a target.

/** The codes of invalid targets. */
export type TargetErrorCode =
  | 'unknown-target'
  | 'invalid-url'
  | 'invalid-address'
  | 'invalid-command'
  | 'invalid-path'
  | 'invalid-variable'
  | 'missing-variable';

/** The text of a target is invalid. The message is one line and never quotes the text, which may contain a secret. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: TargetErrorCode;

  constructor(code: TargetErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
