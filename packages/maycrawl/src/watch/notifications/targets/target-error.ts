/**
 * A target that cannot be told anything.
 *
 * @module
 */

/** Stable names of what can be wrong with the text of a target. */
export type TargetErrorCode =
  | 'unknown-target'
  | 'invalid-url'
  | 'invalid-address'
  | 'invalid-command'
  | 'invalid-path'
  | 'invalid-variable'
  | 'missing-variable';

/** The text of a target is wrong. The message is one line and never quotes it: what was typed wrong may be a secret, too. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: TargetErrorCode;

  constructor(code: TargetErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
