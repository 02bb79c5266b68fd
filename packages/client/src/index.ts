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
export { RobotsClient } from './origins/client/client.ts';
export type {
  ClientDecideOptions,
  ClientOptions,
  ClientPaceOptions,
  ClientPreferencesOptions,
  DecideAllOptions,
  TurnWaitOptions,
} from './origins/client/client-options.ts';
export type { UrlVerdict } from './origins/client/decisions.ts';
export type {
  CacheMessage,
  CacheReadMessage,
  ClientEvent,
  FetchMessage,
  OutageMessage,
} from './origins/events/client-event.ts';
export type { ChannelMessages, DecisionMessage } from './origins/events/decision-event.ts';
export type { Fetcher } from './origins/fetch-origin.ts';
export type { OriginState } from './origins/origin-state.ts';
export type { WaitOptions } from './origins/origins.ts';
export type { OriginsOptions } from './origins/origins-options.ts';
export {
  type ClientVerdict,
  ForbiddenUrlError,
  type Refusal,
  type RefusalCode,
  type Refused,
} from './origins/refusal.ts';
export {
  isTemporaryRefusal,
  PaceError,
  type PaceErrorCode,
  type TemporaryRefusal,
} from './pace/pace-error.ts';
export type { Clock, PaceOptions, ResolvedPaceOptions } from './pace/pace-options.ts';
export { Pacer, type SharedPace, type TurnOptions } from './pace/pacer.ts';
export type { PacedResponse } from './pace/response-outcome.ts';
export type { Turn } from './pace/turn.ts';
export { fetchRobotsTxt, refetchRobotsTxt } from './robots/fetch.ts';
export { type FetchOptions, MAX_REDIRECTS } from './robots/fetch-options.ts';
export type {
  CacheHeaders,
  FetchCode,
  FetchResult,
  Hop,
  UnconditionalResult,
  Validators,
} from './robots/fetch-result.ts';
export type { CachedResponse, Failure, OriginHistory, Outage, OutageStarts } from './robots/history.ts';
export type { Deadlines, Phase, Timings } from './robots/phases.ts';
export type { StoreEvent } from './robots/store-event.ts';
export { IdentityError, type OpenIdentityOptions, openIdentity } from './signatures/identity-folder.ts';
export {
  createRequestSigner,
  type RequestSigner,
  type SignatureHeaders,
  type SignatureOptions,
} from './signatures/request-signer.ts';
export type { SigningKeyInput, SigningKeySource } from './signatures/signing-key.ts';
export * from './store.ts';
