/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/origins`: what is stored about an origin and how it changes, for programs that schedule the requests themselves,
 * such as a monitor.
 *
 * @module
 */
export { type Fetcher, fetchOrigin } from './origins/fetch-origin.ts';
export { type FetchMode, Origins } from './origins/origins.ts';
export { requireStore } from './origins/origins-options.ts';
export { mayFollowRedirect } from './origins/redirect-rules.ts';
export { requestHome } from './origins/site-check.ts';
export { type VisitOptions, visitByHost } from './origins/visit-by-host.ts';
export { requireUserAgent } from './robots/fetch-options.ts';
export { NO_HEADERS } from './robots/fetch-result.ts';
export { getFreshnessLifetime } from './robots/freshness.ts';
export { createChange } from './robots/observation.ts';
export { getEffectivePolicy } from './robots/outage/outage-policy.ts';
export {
  fromStored,
  fromStoredPolicy,
  isStoredKind,
  toStored,
} from './robots/stored.ts';
