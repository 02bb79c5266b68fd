/**
 * Files of expectations, as the command reads them.
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { type Expectation, ExpectationError, parseExpectations } from '../expectations/expectations.ts';
import { CommandError, describeFileError } from './errors.ts';
import { requireCrawler } from './options.ts';
import { visible } from './terminal.ts';

/**
 * Reads expectations.
 *
 * @throws {CommandError} if the file cannot be read, or says something else.
 */
export async function readExpectations(path: string): Promise<Expectation[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
  return parseExpectations(text, requireCrawler).catch((cause: unknown) => {
    throw inFile(path, cause);
  });
}

/** What was thrown, with the file that it is about. */
export function inFile(path: string, cause: unknown): unknown {
  if (!(cause instanceof ExpectationError)) return cause;
  return new CommandError(`${visible(path)}: ${visible(cause.message)}`, { cause });
}
