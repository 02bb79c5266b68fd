// The pace of a client.
import { quoteValue } from '@maycrawl/core/internal';
import { Pacer, type SharedPace } from '../../pace/pacer.ts';
import type { ClientPaceOptions } from './client-options.ts';

/**
 * Creates the pace of a client.
 *
 * @throws {TypeError} {RangeError} for invalid options.
 */
export function createPacer(
  { shared = false, ...options }: ClientPaceOptions,
  share: () => SharedPace,
): Pacer {
  if (typeof shared !== 'boolean')
    throw new TypeError(`pace: "shared" must be a boolean, not ${quoteValue(shared)}`);
  const pacer = new Pacer(options, undefined, shared ? share() : undefined);
  if (shared && pacer.options.concurrency !== 1)
    throw new RangeError(
      `pace: "concurrency" must be 1 if the pace is shared, not ${pacer.options.concurrency}`,
    );
  return pacer;
}
