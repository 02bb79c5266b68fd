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
export {
  connectTo,
  createPoolConnector,
  createSingleConnector,
  type PooledConnectionOptions,
} from './http/connector.ts';
export { decodeBody, parseContentEncoding, readBody } from './http/content-decoding.ts';
export { isLocalFailure } from './http/local-failure.ts';
export {
  createResolver,
  getSharedResolver,
  type ResolveOptions,
  type Resolver,
  type ResolverOptions,
} from './http/dns/resolver.ts';
