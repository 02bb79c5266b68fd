/// <reference path="./undici-modules.d.ts" />
/**
 * The parts of undici that this package uses. Its entry point loads four times as many modules: fetch, WebSocket, caches, mocks. The
 * version of undici is pinned, because these modules are not a part of its documented interface. There are runtimes in which they are
 * replaced.
 *
 * @module
 */
import type * as undici from 'undici';
import request from 'undici/lib/api/api-request.js';
import AgentClass from 'undici/lib/dispatcher/agent.js';
import ClientClass from 'undici/lib/dispatcher/client.js';
import PoolClass from 'undici/lib/dispatcher/pool.js';
import { LocalFailureError } from './local-failure.ts';

export type { Dispatcher } from 'undici';

export const Agent: typeof undici.Agent = AgentClass;
export const Client: typeof undici.Client = ClientClass;
export const Pool: typeof undici.Pool = PoolClass;

/** Sends a request, as the method `request` does, which only the entry point of undici adds to its clients. */
export function sendRequest(
  client: undici.Client,
  options: undici.Dispatcher.RequestOptions,
): Promise<undici.Dispatcher.ResponseData> {
  return request.call(client, options);
}

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
