/**
 * `maycrawl`: everything of `@maycrawl/client` and `@maycrawl/core`.
 *
 * @module
 */
export * from '@maycrawl/client';
