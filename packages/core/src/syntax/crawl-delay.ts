/**
 * `Crawl-delay`, which Google ignores and other crawlers obey. Those crawlers read it as a rule that ends the list of user-agent
 * lines, so `bingbot / Crawl-delay: 10 / * / Disallow: /x` delays only bingbot.
 *
 * @module
 */
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from './fields.ts';
import { readRecord, readUserAgent, type UserAgentRecord } from './record.ts';
import type { Scanner } from './scanner.ts';

const FIELD = 'crawl-delay';

/**
 * Reads the crawl delays of crawlers in one pass.
 *
 * @param scanner - a scanner that is before the first line.
 * @param crawlers - for each crawler, whether a user-agent record names it.
 * @returns for each crawler, the largest delay in seconds; `null` if there is none. Values that are not a decimal number are ignored.
 */
export function readDelays(
  scanner: Scanner,
  crawlers: readonly ((userAgent: UserAgentRecord) => boolean)[],
): (number | null)[] {
  const applies: (boolean | undefined)[] = [];
  const delays = crawlers.map((): number | null => null);
  let isListOpen = false;
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === USER_AGENT) {
      const userAgent = readUserAgent(scanner);
      for (const [index, namesCrawler] of crawlers.entries())
        applies[index] = (isListOpen && applies[index]) || namesCrawler(userAgent);
      isListOpen = true;
    } else if (kind === ALLOW || kind === DISALLOW) isListOpen = false;
    else if (kind === OTHER && isCrawlDelay(scanner)) {
      isListOpen = false;
      const delay = parseSeconds(readRecord(scanner).value);
      if (delay === null) continue;
      for (const [index, known] of delays.entries())
        if (applies[index]) delays[index] = Math.max(known ?? 0, delay);
    }
  }
  return delays;
}

function isCrawlDelay(scanner: Scanner): boolean {
  // Skips decoding for most records.
  if (scanner.fieldEnd - scanner.fieldStart !== FIELD.length) return false;
  return readRecord(scanner).field.toLowerCase() === FIELD;
}

function parseSeconds(value: string): number | null {
  return /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/.test(value) ? Number(value) : null;
}
