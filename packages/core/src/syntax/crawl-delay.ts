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

/**
 * Reads the crawl delays of crawlers in one pass.
 *
 * @param scanner - a scanner that is before the first line.
 * @returns for each crawler, the largest delay in seconds; `null` if there is none. Values that are not a decimal number are ignored.
 */
export function readDelays(scanner: Scanner, preferences: readonly Preference[]): (number | null)[] {
  // By crawler: the bits of the token sets that the file, and the list of user-agent lines, name (collect.ts).
  const seen: number[] = preferences.map(() => 0);
  const listed: number[] = [...seen];
  // By crawler and the lowest of its bits, which has 0 to 31 zeros before it, or 32 if there is none.
  const delays: number[] = [];
  const getKey = (crawler: number, bits: number): number => crawler * 33 + Math.clz32(bits & -bits);
  let isListOpen = false;
  while (scanner.next()) {
    const { bytes, kind, valueStart, valueEnd } = scanner;
    if (kind === USER_AGENT) {
      for (const [crawler, preference] of preferences.entries()) {
        const bits = matchTokenSets(bytes, valueStart, valueEnd, preference);
        listed[crawler] = bits | (isListOpen ? (listed[crawler] as number) : 0);
        seen[crawler] = bits | (seen[crawler] as number);
      }
      isListOpen = true;
    } else if (kind === ALLOW || kind === DISALLOW) isListOpen = false;
    else if (kind === OTHER && scanner.fieldEnd - scanner.fieldStart === FIELD.length) {
      // The length skips decoding for most records.
      const { field, value } = readRecord(scanner);
      if (field.toLowerCase() !== FIELD) continue;
      isListOpen = false;
      if (!SECONDS.test(value)) continue;
      for (const [crawler, all] of listed.entries())
        for (let bits = all; bits !== 0; bits &= bits - 1) {
          const key = getKey(crawler, bits);
          delays[key] = Math.max(delays[key] ?? 0, Number(value));
        }
    }
  }
  return seen.map((bits, crawler) => delays[getKey(crawler, bits)] ?? null);
}
