// Statements that could be neither proved nor refuted: their tests fail, also with `not`.

/**
 * - `unreadable`: the file or the body of the response cannot be read.
 * - `unreachable`: the status of the response says nothing about the rules (5xx, 429), or it is a redirect.
 * - `undecided`: the rules are too entangled for a proof.
 * - `vacuous`: no URL that can be requested matches the pattern.
 */
export type RobotsTestErrorCode = 'unreadable' | 'unreachable' | 'undecided' | 'vacuous';

/** The statement of a test could be neither proved nor refuted. */
export class RobotsTestError extends Error {
  override readonly name = 'RobotsTestError';
  readonly code: RobotsTestErrorCode;

  constructor(code: RobotsTestErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
