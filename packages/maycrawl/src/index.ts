/**
 * `maycrawl`: robots.txt for crawlers. Everything of `@maycrawl/core`, and what needs a network.
 *
 * @module
 */
export * from '@maycrawl/core';
export { type FetchOptions, fetchRobotsTxt, MAX_REDIRECTS } from './fetch/http.ts';
export type { FetchCode, Hop, Outcome } from './fetch/outcome.ts';
