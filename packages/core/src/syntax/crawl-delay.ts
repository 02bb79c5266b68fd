// `Crawl-delay`, which Google ignores and other crawlers obey. Those crawlers read it as a rule that ends the list of user-agent
// lines, so `bingbot / Crawl-delay: 10 / * / Disallow: /x` delays only bingbot.
import type { AgentTokens } from '../crawler/crawler.ts';
import { matchTokenSets } from './collect.ts';
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from './fields.ts';
import { GroupCursor } from './group-cursor.ts';
import { readRecord } from './record.ts';
import type { Scanner } from './scanner.ts';

const FIELD = 'crawl-delay';
const SECONDS = /^(\d+(\.\d+)?|\.\d+)$/;

/** Parses a delay. `null` unless the value is a decimal number: a very long one is the longest exact integer, never no delay. */
function parseSeconds(value: string): number | null {
  return SECONDS.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : null;
}

/** Events of {@link readDelayGroups}. */
export interface DelayVisitor {
  /** Called for each user-agent line. @param group - the number of its group. */
  readonly onAgent: (group: number) => void;
  /**
   * Called for each Crawl-delay line.
   *
   * @param seconds - `null` unless the value is a decimal number.
   * @param group - the number of its group; -1 before the first group.
   */
  readonly onDelay: (seconds: number | null, group: number) => void;
}

/** Reads the user-agent lines and the Crawl-delay lines of a file. @param scanner - a scanner that is before the first line. */
export function readDelayGroups(scanner: Scanner, { onAgent, onDelay }: DelayVisitor): void {
  const cursor = new GroupCursor();
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === USER_AGENT) {
      cursor.readAgent();
      onAgent(cursor.group);
    } else if (kind === ALLOW || kind === DISALLOW) cursor.endList();
    // The length skips decoding for most records.
    else if (kind === OTHER && scanner.fieldEnd - scanner.fieldStart === FIELD.length) {
      const { field, value } = readRecord(scanner);
      if (field.toLowerCase() !== FIELD) continue;
      cursor.endList();
      onDelay(parseSeconds(value), cursor.group);
    }
  }
}

/**
 * Reads the crawl delay of a crawler.
 *
 * @param scanner - a scanner that is before the first line.
 * @returns the largest delay in seconds, `null` if the crawler has no delay. Values that are not a decimal number are ignored.
 */
export function readCrawlDelay(scanner: Scanner, agentTokens: AgentTokens): number | null {
  // The bits of the token sets that the file names, and those that each group names (collect.ts).
  let seen = 0;
  const named: number[] = [];
  const found: (readonly [group: number, delay: number])[] = [];
  readDelayGroups(scanner, {
    onAgent(group) {
      const { bytes, valueStart, valueEnd } = scanner;
      const bits = matchTokenSets(bytes, valueStart, valueEnd, agentTokens);
      named[group] = (named[group] ?? 0) | bits;
      seen |= bits;
    },
    onDelay(seconds, group) {
      if (seconds !== null) found.push([group, seconds]);
    },
  });
  const chosen = seen & -seen;
  return found.reduce<number | null>(
    (delay, [group, seconds]) =>
      ((named[group] ?? 0) & chosen) === 0 ? delay : Math.max(delay ?? 0, seconds),
    null,
  );
}
