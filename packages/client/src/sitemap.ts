/**
 * `@maycrawl/client/sitemap`: requests and reads sitemaps.
 *
 * @module
 */

export { MAX_ENTRY_CHARS, type SitemapEntry } from '@maycrawl/core/internal';
export { openSitemap, type SitemapRequests } from './sitemap/open-sitemap.ts';
export {
  readSitemap,
  SITEMAP_LIMITS,
  SitemapError,
  type SitemapLimits,
  type SitemapSummary,
} from './sitemap/read-sitemap.ts';
