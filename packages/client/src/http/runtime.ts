/**
 * Runtimes in which connections do not go through the connector.
 *
 * @module
 */
import { LocalFailureError } from './local-failure.ts';
import { Client } from './undici.ts';

/**
 * Requires a runtime in which connections go through the connector. Bun has its own module under the name of undici, which ignores the
 * function that connects: every guard would be without effect.
 *
 * @throws {LocalFailureError} with the code `unsupported-runtime`.
 */
export function requireSupportedRuntime(): void {
  const { bun } = process.versions;
  if (bun === undefined && typeof Client.prototype.dispatch === 'function') return;
  const name = bun === undefined ? 'this runtime' : `Bun ${bun}`;
  throw new LocalFailureError(
    'unsupported-runtime',
    `${name} replaces the HTTP client undici by one that cannot be guarded: run maycrawl with Node.js`,
  );
}
