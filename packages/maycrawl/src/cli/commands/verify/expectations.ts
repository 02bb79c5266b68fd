/**
 * Files of expectations, as the command reads them.
 *
 * @module
 */
import { createReadStream } from 'node:fs';
import { readStart } from '@maycrawl/client/streams';
import {
  type Expectation,
  ExpectationError,
  MAX_EXPECTATIONS_BYTES,
  parseExpectations,
} from '../../../expectations/expectations.ts';
import { visible } from '../../../text/printable.ts';
import { resolveCrawler } from '../../input/options.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';

/**
 * Reads expectations.
 *
 * @throws {CommandError} if the file cannot be read, or says something else.
 */
export async function readExpectations(path: string): Promise<Expectation[]> {
  let bytes: Uint8Array;
  try {
    bytes = await readStart(createReadStream(path), MAX_EXPECTATIONS_BYTES + 1);
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
  return parseExpectations(Buffer.from(bytes).toString(), resolveCrawler).catch((cause: unknown) => {
    throw inFile(path, cause);
  });
}

/** What was thrown, with the file that it is about. */
export function inFile(path: string, cause: unknown): unknown {
  if (!(cause instanceof ExpectationError)) return cause;
  return new CommandError(`${visible(path)}: ${visible(cause.message)}`, { cause });
}
