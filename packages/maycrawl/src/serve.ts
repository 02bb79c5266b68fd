/**
 * `maycrawl/serve`: the decision service as a server of Fastify.
 *
 * @module
 */

import { requireStore, requireUserAgent } from '@maycrawl/client/internal';
import { MemoryStore } from '@maycrawl/client/store';
import { checkOptions, checkRanges } from '@maycrawl/core/internal';
import { createService as createServiceWith } from './serve/service.ts';
import type { ServiceOptions as FullOptions, Service } from './serve/service-options.ts';

export type { Service };

/** How the service decides, and for whom. */
export type ServiceOptions = Partial<Omit<FullOptions, 'watch' | 'watchLive' | 'limits' | 'fetcher' | 'now'>>;

/**
 * Creates a service that is ready to listen. Closing it completes the requests in flight.
 *
 * @example
 * ```js
 * import { createService } from 'maycrawl/serve';
 *
 * const service = await createService({ userAgent: 'MyBot/1.0' });
 * const address = await service.listen({ host: '127.0.0.1', port: 0 });
 * const response = await fetch(`${address}/v1/decide?agent=MyBot&url=https://example.com/`);
 * console.log((await response.json()).allowed);
 * await service.close();
 * ```
 *
 * @param options - by default responses are stored in memory, every client may send requests, and nothing is logged.
 * @throws {RangeError} for options that contradict each other, and for a number out of its range.
 * @throws {TypeError} for an option of a wrong type.
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  checkOptions<ServiceOptions>('createService', options, {
    ...{
      store: 'object',
      userAgent: 'string',
      allowPrivateAddresses: 'boolean',
      timeout: 'number',
      tokens: 'array',
      invalidateTokens: 'array',
    },
    ...{ rateLimit: 'number', hosts: 'array', databaseFiles: 'array', trustProxy: 'array' },
    ...{ pageFolder: 'string', auditFolder: 'string', log: 'object' },
  });
  checkRanges<ServiceOptions>('createService', options, {
    timeout: [1, 3_600_000],
    rateLimit: [1, Number.POSITIVE_INFINITY, 'whole'],
  });
  for (const name of ['tokens', 'invalidateTokens', 'hosts', 'databaseFiles', 'trustProxy'] as const)
    if (!(options[name] ?? []).every((each: unknown) => typeof each === 'string' && each !== ''))
      throw new TypeError(`createService: ${name} must be a list of strings that are not empty`);
  const { store = new MemoryStore(), userAgent = 'maycrawl', ...others } = options;
  requireStore(store);
  requireUserAgent(userAgent);
  return createServiceWith({ ...others, store, userAgent });
}
