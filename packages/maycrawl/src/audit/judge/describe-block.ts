// Why robots.txt keeps a crawler from a URL, in words.
import { truncate } from '@maycrawl/core/internal';

/** Maximum number of characters of a quoted rule or URL. */
const MAX_QUOTE = 80;

/**
 * Describes a decision of robots.txt: `robots.txt, line 4 (Disallow: /x)`.
 *
 * @param rule - the text of the line; `null` without a rule.
 * @param decision - the reason of the verdict.
 */
export function describeBlock(line: number, rule: string | null, decision: string): string {
  if (rule !== null) return `robots.txt, line ${line} (${shorten(rule)})`;
  return decision === 'unreachable' ? 'robots.txt cannot be fetched' : 'robots.txt';
}

/** Shortens a quote for a title. */
export function shorten(text: string): string {
  return truncate(text, MAX_QUOTE);
}
