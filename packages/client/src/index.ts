/**
 * `@maycrawl/client`: robots.txt for crawlers. It exports everything of `@maycrawl/core`, and what needs a network.
 *
 * @module
 */
export * from '@maycrawl/core';
export {
  type AddressPolicy,
  type AddressPolicyOptions,
  createAddressPolicy,
  PrivateAddressError,
} from './http/address-policy.ts';
export {
  createResolver,
  type ResolveOptions,
  type Resolver,
  type ResolverOptions,
} from './http/dns/resolver.ts';
export type { Fetcher } from './origins/asking.ts';
export {
  type ClientOptions,
  type DecideAllOptions,
  RobotsClient,
  type UrlVerdict,
} from './origins/client.ts';
export type { ClientEvent, OriginState, OriginsOptions, WaitOptions } from './origins/origins.ts';
export type { StoreEvent } from './robots/events.ts';
export { fetchRobotsTxt, refetchRobotsTxt } from './robots/fetch.ts';
export type { FetchOptions } from './robots/fetch-options.ts';
export type { Failure, GoodAnswer, OriginHistory, Outage } from './robots/history.ts';
export { MAX_REDIRECTS } from './robots/http.ts';
export type { AnswerHeaders, FetchCode, Hop, Outcome, Unchanged, Validators } from './robots/outcome.ts';
export type { Deadlines, Phase, Timings } from './robots/phases.ts';
export * from './store.ts';
