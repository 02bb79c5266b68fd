/**
 * Whom a question is about: crawlers of the catalogue by their names, and any product token.
 *
 * @module
 */
import { type CrawlerLike, findCrawler, isProductToken, recognizeCrawler } from '@maycrawl/core';

/** More columns than this are cut off. */
export const MAX_CRAWLERS = 60;
const MAX_NAME_LENGTH = 100;

/** The crawler with a name: one of the catalogue, with its fallbacks, or a product token. */
export function crawlerNamed(name: string): CrawlerLike {
  return findCrawler(name) ?? name;
}

/** The name under which a crawler is asked about that a person means: also by a whole User-Agent header. */
export function nameMeant(written: string): string | null {
  const name = written.trim();
  if (name === '' || name.length > 1000) return null;
  const known = findCrawler(name) ?? (isProductToken(name) ? undefined : recognizeCrawler(name));
  if (known !== undefined) return known.name;
  return isProductToken(name) && name.length <= MAX_NAME_LENGTH ? name : null;
}
