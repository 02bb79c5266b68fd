/**
 * Why a sitemap was not read, or not all of it.
 *
 * @module
 */

/** A sitemap cannot be read, or is beyond the limits. The message is a part of a sentence, for people. */
export class SitemapError extends Error {
  override readonly name = 'SitemapError';
}
