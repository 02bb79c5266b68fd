/**
 * The crawl delays of several crawlers in a file.
 *
 * @module
 */
import type { CrawlerInput } from '../crawler/crawler.ts';
import { getPreference } from '../crawler/resolve-agent.ts';
import { readDelays } from '../syntax/crawl-delay.ts';
import type { RobotsTxt } from './robots-txt.ts';

/**
 * Reads the crawl delays of several crawlers in one pass over the file.
 *
 * @returns for each crawler, the delay in seconds that `robots.ruleset(crawler).crawlDelay` has; `null` if there is none.
 * @throws {TypeError} {RangeError} as `robots.ruleset` does.
 */
export function readCrawlDelays(robots: RobotsTxt, crawlers: readonly CrawlerInput[]): (number | null)[] {
  return readDelays(robots.scan(), crawlers.map(getPreference));
}
