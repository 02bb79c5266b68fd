// How the command verifies crawlers.
import type { OperatorFinder } from '@maycrawl/core/crawlers';
import { createIdentifier, type Identifier } from '../../../logs/identity/identity.ts';
import { readRangeStore } from '../../../logs/identity/range-store.ts';
import { withRangeErrors } from './ranges.ts';

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

/** Creates the identifier. @throws {CommandError} if a file cannot be read. */
export async function openIdentifier(
  { ranges }: IdentityOptions,
  findOperator: OperatorFinder,
): Promise<OpenIdentifier> {
  const identify = createIdentifier({
    findOperator,
    ...(ranges !== undefined && { ranges: await withRangeErrors(ranges, () => readRangeStore(ranges)) }),
  });
  return { identify, close: () => {} };
}
