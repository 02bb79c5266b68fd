// Errors that the command prints in one line.
import { visible } from '../../text/printable.ts';

/** The command cannot do what the user requests. The message says why, and what to do; the exit code is 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Returns the error to throw after a failed fetch. An error of the program itself stays as it is: it does not mean that the site is
 * unreachable. A RangeError names an invalid option.
 */
export function createFetchError(url: string, cause: unknown): unknown {
  if (cause instanceof CommandError || cause instanceof TypeError || cause instanceof ReferenceError)
    return cause;
  return new CommandError(`cannot fetch ${visible(url)}: ${visible((cause as Error).message)}`, { cause });
}

/** Classes of errors whose messages are for the user. */
export type ErrorClasses = readonly (abstract new (...args: never) => Error)[];

/** Runs work of the command. @throws {CommandError} for errors of these classes. */
export async function withCommandErrors<Result>(
  classes: ErrorClasses,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (classes.some((each) => cause instanceof each))
      throw new CommandError(visible((cause as Error).message), { cause });
    throw cause;
  }
}
