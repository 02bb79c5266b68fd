// Failures to read a log.

/** `unreadable`: the file cannot be read. `unknown-format`: no format fits its lines. `damaged`: its compression ends early, or is invalid. */
export type LogErrorCode = 'unreadable' | 'unknown-format' | 'damaged' | 'unsupported-compression';

/** A log that cannot be read. The message has one line, and names the file. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
