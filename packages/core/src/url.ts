/**
 * `@maycrawl/core/url`: URLs and their parts, and which addresses are public, for programs that fetch.
 *
 * @module
 */
export { isLocalServerAddress, isPublicAddress, toCanonicalAddress } from './bytes/ip-address.ts';
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
