// How the command verifies crawlers.
import { type CrawlerRecord, createOperatorFinder, OPERATOR_RECORDS } from '@maycrawl/core/crawlers';
import { createIdentifier, type Identifier } from '../../../logs/identity/identity.ts';
import { RangeFileError } from '../../../logs/identity/range-file.ts';
import { readRangeStore } from '../../../logs/identity/range-store.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';

/** With what crawlers are verified. */
export interface IdentityOptions {
  readonly ranges?: string;
  readonly dns?: string;
  readonly resolve?: boolean;
  readonly keys?: string;
  readonly crawlers?: string;
}

/** An identifier, and the end of its work. */
export interface OpenIdentifier {
  readonly identify: Identifier;
  readonly close: () => void;
}

/** Creates the identifier. @param records - the catalogue of crawlers. @throws {CommandError} if a file cannot be read. */
export async function openIdentifier(
  { ranges }: IdentityOptions,
  records: readonly CrawlerRecord[],
): Promise<OpenIdentifier> {
  const identify = createIdentifier({
    findOperator: createOperatorFinder({ operators: OPERATOR_RECORDS, crawlers: records }),
    ...(ranges !== undefined && { ranges: await withRangeErrors(ranges, () => readRangeStore(ranges)) }),
  });
  return { identify, close: () => {} };
}

async function withRangeErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RangeFileError)
      throw new CommandError(`cannot read ${visible(name)}: ${visible(cause.message)}`, { cause });
    throw cause;
  }
}
