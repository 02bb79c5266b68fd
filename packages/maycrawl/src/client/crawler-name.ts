/**
 * Which crawler a name means, wherever people and programs name one.
 *
 * @module
 */
import { type CrawlerLike, findCrawler, isProductToken, recognizeCrawler } from '@maycrawl/core';

/** A crawler as it was named. */
export interface NamedCrawler {
  readonly name: string;
  readonly crawler: CrawlerLike;
  /**
   * How it was found: `listed`, in the catalogue, with its fallbacks; `token`, any product token; `recognized`, by its whole
   * User-Agent header; `unnameable`, not at all: no rule can name it, so it is judged by the rules for `*`.
   */
  readonly by: 'listed' | 'token' | 'recognized' | 'unnameable';
}

/** The crawler that is meant by a name that is not empty. */
export function crawlerNamed(name: string): NamedCrawler {
  const listed = findCrawler(name);
  if (listed !== undefined) return { name: listed.name, crawler: listed, by: 'listed' };
  if (isProductToken(name)) return { name, crawler: name, by: 'token' };
  const recognized = recognizeCrawler(name);
  if (recognized !== undefined) return { name: recognized.name, crawler: recognized, by: 'recognized' };
  return { name, crawler: name, by: 'unnameable' };
}
