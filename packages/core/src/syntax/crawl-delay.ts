/**
 * `Crawl-delay`: a record that Google ignores and others obey. The crawlers that obey it read it as a rule that ends the list
 * of user-agent lines, so that `bingbot / Crawl-delay: 10 / * / Disallow: /x` delays bingbot alone.
 *
 * @module
 */
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from './fields.ts';
import { readRecord, readUserAgent, type UserAgentRecord } from './record.ts';
import type { Scanner } from './scanner.ts';

const FIELD = 'crawl-delay';

/**
 * Reads the delay of a crawler.
 *
 * @param scanner - before the first line.
 * @param isNamed - whether a user-agent record is one of those that apply to the crawler.
 * @returns seconds, the largest of several; `null` if there is none. A value that is not a number of seconds is ignored.
 */
export function readCrawlDelay(
  scanner: Scanner,
  isNamed: (userAgent: UserAgentRecord) => boolean,
): number | null {
  let applies = false;
  let isListOpen = false;
  let delay: number | null = null;
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === USER_AGENT) {
      applies = (isListOpen && applies) || isNamed(readUserAgent(scanner));
      isListOpen = true;
    } else if (kind === ALLOW || kind === DISALLOW) isListOpen = false;
    else if (kind === OTHER && isCrawlDelay(scanner)) {
      isListOpen = false;
      if (applies) delay = largest(delay, parseSeconds(readRecord(scanner).value));
    }
  }
  return delay;
}

function isCrawlDelay(scanner: Scanner): boolean {
  // Most records are of another length; those need not be read.
  if (scanner.fieldEnd - scanner.fieldStart !== FIELD.length) return false;
  return readRecord(scanner).field.toLowerCase() === FIELD;
}

function parseSeconds(value: string): number | null {
  return /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/.test(value) ? Number(value) : null;
}

function largest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
