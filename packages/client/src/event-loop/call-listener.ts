// Calls listeners of callers, whose errors must not fail the work that they listen to, or end the process.

/**
 * Calls a listener. An error that it throws, or rejects with, becomes a warning of the process.
 *
 * @param owner - names the listener in the warning, such as `onEvent of a RobotsClient`.
 */
export function callListener(owner: string, call: () => unknown): void {
  try {
    // A listener may be an async function.
    Promise.resolve(call()).catch((error: unknown) => warn(owner, error));
  } catch (error) {
    warn(owner, error);
  }
}

/** @param error - anything: not every value can be converted to a string. */
function warn(owner: string, error: unknown): void {
  const message = typeof error === 'string' ? error : 'a value that is not an Error';
  process.emitWarning(error instanceof Error ? error : new Error(message, { cause: error }), {
    detail: `thrown by ${owner}`,
  });
}
