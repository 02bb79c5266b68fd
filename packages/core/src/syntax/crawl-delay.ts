/**
 * `Crawl-delay`, which Google ignores and other crawlers obey. Those crawlers read it as a rule that ends the list of user-agent
 * lines, so `bingbot / Crawl-delay: 10 / * / Disallow: /x` delays only bingbot.
 *
 * @module
 */
import type { Preference } from '../crawler/crawler.ts';
import { matchTokenSets } from './collect.ts';
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from './fields.ts';
import { readRecord } from './record.ts';
import type { Scanner } from './scanner.ts';

const FIELD = 'crawl-delay';
const SECONDS = /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/;

/** Events of {@link readDelayGroups}. */
export interface DelayVisitor {
  /** Called for each user-agent line. @param isFirst - whether the line starts a group. */
  readonly onAgent: (isFirst: boolean) => void;
  /** Called for each Crawl-delay line. @param seconds - `null` unless the value is a decimal number. */
  readonly onDelay: (seconds: number | null) => void;
}

/** Reads the user-agent lines and the Crawl-delay lines of a file. @param scanner - a scanner that is before the first line. */
export function readDelayGroups(scanner: Scanner, { onAgent, onDelay }: DelayVisitor): void {
  let isListOpen = false;
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === USER_AGENT) {
      onAgent(!isListOpen);
      isListOpen = true;
    } else if (kind === ALLOW || kind === DISALLOW) isListOpen = false;
    // The length skips decoding for most records.
    else if (kind === OTHER && scanner.fieldEnd - scanner.fieldStart === FIELD.length) {
      const { field, value } = readRecord(scanner);
      if (field.toLowerCase() !== FIELD) continue;
      isListOpen = false;
      onDelay(SECONDS.test(value) ? Number(value) : null);
    }
  }
}

/**
 * Reads the crawl delay of a crawler.
 *
 * @param scanner - a scanner that is before the first line.
 * @returns the largest delay in seconds, `null` if the crawler has no delay. Values that are not a decimal number are ignored.
 */
export function readCrawlDelay(scanner: Scanner, preference: Preference): number | null {
  // The bits of the token sets that the file names, and the current list of user-agent lines (collect.ts).
  let seen = 0;
  let listed = 0;
  const found: (readonly [listed: number, delay: number])[] = [];
  readDelayGroups(scanner, {
    onAgent(isFirst) {
      const { bytes, valueStart, valueEnd } = scanner;
      listed = (isFirst ? 0 : listed) | matchTokenSets(bytes, valueStart, valueEnd, preference);
      seen |= listed;
    },
    onDelay(seconds) {
      if (seconds !== null) found.push([listed, seconds]);
    },
  });
  const chosen = seen & -seen;
  return found.reduce<number | null>(
    (delay, [bits, seconds]) => ((bits & chosen) === 0 ? delay : Math.max(delay ?? 0, seconds)),
    null,
  );
}
