// Files of expectations, as the command reads them.
import { isUtf8 } from 'node:buffer';
import {
  type Expectation,
  ExpectationError,
  MAX_EXPECTATIONS_BYTES,
  parseExpectations,
} from '../../../expectations/expectations.ts';
import { visible } from '../../../text/printable.ts';
import { readFileStart } from '../../input/file.ts';
import { resolveCrawler } from '../../input/options.ts';
import { CommandError } from '../../output/errors.ts';

/**
 * Reads expectations.
 *
 * @throws {CommandError} if the file cannot be read, or is invalid.
 */
export async function readExpectations(path: string): Promise<Expectation[]> {
  const bytes = await readFileStart(path, MAX_EXPECTATIONS_BYTES + 1).catch((error: unknown) => {
    throw isMissing(error)
      ? new CommandError(`${error.message}; verify --init writes it`, { cause: error })
      : error;
  });
  if (!isUtf8(bytes)) throw new CommandError(`${visible(path)}: it is not UTF-8`);
  return parseExpectations(Buffer.from(bytes).toString(), resolveCrawler).catch((cause: unknown) => {
    throw addPath(path, cause);
  });
}

function isMissing(error: unknown): error is CommandError {
  return (
    error instanceof CommandError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  );
}

/** Adds the path to the message of an error about expectations. */
export function addPath(path: string, cause: unknown): unknown {
  if (!(cause instanceof ExpectationError)) return cause;
  return new CommandError(`${visible(path)}: ${visible(cause.message)}`, { cause });
}
