/**
 * Names that earlier versions wrote to the tables of a run, and the current names. Every reader of these columns uses this module.
 *
 * @module
 */
import type { KeptRobots } from './run-store.ts';

const FORMER_FACTS: Readonly<Record<string, string>> = { neighbours: 'seriesLinks', isCut: 'isTruncated' };

/**
 * Parses the column `facts` of a page.
 *
 * @throws {SyntaxError} if the text is not JSON.
 */
export function parseStoredFacts(text: string): unknown {
  const facts: unknown = JSON.parse(text);
  if (typeof facts !== 'object' || facts === null) return facts;
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [FORMER_FACTS[name] ?? name, value]),
  );
}

/** Returns the current form of a code in the column `used` of a robots.txt or `because` of a verdict. */
export function toCurrentReason(stored: string): string {
  return stored === 'outage-allows' ? 'outage-expired' : stored;
}

/** Returns a row of a robots.txt with the current code. */
export function toCurrentRobots(row: KeptRobots): KeptRobots {
  return { ...row, use: toCurrentReason(row.use) as KeptRobots['use'] };
}
