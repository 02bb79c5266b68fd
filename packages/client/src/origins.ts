/**
 * `@maycrawl/client/origins`: what is stored about an origin and how it changes, for programs that schedule the requests themselves,
 * such as a monitor.
 *
 * @module
 */
export { ask, type Fetcher } from './origins/asking.ts';
export { changeBy } from './origins/fail-safe-store.ts';
export { originOf } from './origins/origin.ts';
export { Origins } from './origins/origins.ts';
export { requestHome } from './origins/site-check.ts';
export { lifetimeOf } from './robots/freshness.ts';
export { ruleOn, weatherOf } from './robots/outage-policy.ts';
export { fromStored, toStored } from './robots/stored.ts';
