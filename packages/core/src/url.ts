/**
 * `@maycrawl/core/url`: URLs and their parts, for programs that fetch.
 *
 * @module
 */
export type { ParsedUrl } from './bytes/platform.ts';
export {
  getPathStart,
  hasScheme,
  parseUrl,
  removeBrackets,
  removeFragment,
  toUrlText,
  type UrlInput,
} from './bytes/url.ts';
export { findOrigin, getOrigin } from './matching/target.ts';
