/**
 * `maycrawl`: robots.txt for crawlers. Everything of `@maycrawl/core`, and what needs a network.
 *
 * @module
 */
export * from '@maycrawl/core';
export type { Fetcher } from './client/asking.ts';
export { type ClientOptions, type DecideAllOptions, RobotsClient, type UrlVerdict } from './client/client.ts';
export type { ClientEvent, OriginState, OriginsOptions, WaitOptions } from './client/origins.ts';
export { fetchRobotsTxt, refetchRobotsTxt } from './fetch/fetch.ts';
export type { FetchOptions } from './fetch/fetch-options.ts';
export { MAX_REDIRECTS } from './fetch/http.ts';
export type { AnswerHeaders, FetchCode, Hop, Outcome, Unchanged, Validators } from './fetch/outcome.ts';
export type { Deadlines, Phase, Timings } from './fetch/phases.ts';
export {
  type AddressPolicy,
  type AddressPolicyOptions,
  createAddressPolicy,
  PrivateAddressError,
} from './http/address-policy.ts';
export { createResolver, type ResolveOptions, type Resolver, type ResolverOptions } from './http/resolver.ts';
export type { StoreEvent } from './store/events.ts';
export type { Failure, GoodAnswer, OriginHistory, Outage } from './store/history.ts';
export type { StoreLimits, StoreOptions } from './store/limits.ts';
export { MemoryStore } from './store/memory.ts';
export { openPostgresStore } from './store/postgres.ts';
export { openSqliteStore } from './store/sqlite.ts';
export {
  type EntryUsage,
  type FullStore,
  type Lease,
  type Pruned,
  type RobotsStore,
  StoreError,
  type StoreStats,
} from './store/store.ts';
