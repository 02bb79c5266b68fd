/**
 * `@maycrawl/core/text`: texts from outside in messages and reports.
 *
 * @module
 */
export { truncate, truncateMiddle } from './bytes/truncate.ts';
