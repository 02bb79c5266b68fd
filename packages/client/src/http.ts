/**
 * `@maycrawl/client/http`: the HTTP layer of the client, for programs that request more than robots.txt and want the same guard
 * against private addresses, the same resolver and the same limits.
 *
 * @module
 */
export {
  type AddressPolicy,
  type AddressPolicyOptions,
  createAddressPolicy,
  PrivateAddressError,
} from './http/address-policy.ts';
export { type Backoff, getBackoff } from './http/backoff.ts';
export { connectTo } from './http/connector.ts';
export { ACCEPT_ENCODING, getCodings, readBody } from './http/content-decoding.ts';
export {
  createResolver,
  getSharedResolver,
  type ResolveOptions,
  type Resolver,
  type ResolverOptions,
} from './http/dns/resolver.ts';
export { isLocalFailure, isRemoteFailure } from './http/local-failure.ts';
export type { CollectedResponse } from './http/pool/collected-request.ts';
export { ConnectionPool, type ConnectionPoolOptions } from './http/pool/connection-pool.ts';
export type { StreamedResponse } from './http/pool/streamed-request.ts';
export { decodeLocation, followRedirects, type RedirectResponse } from './http/redirects.ts';
export { describeRequestFailure, RequestError } from './http/request-failure.ts';
export { isOverloaded, parseRetryAfter } from './http/retry-after.ts';
export { sendSingleRequest } from './http/single-request.ts';
