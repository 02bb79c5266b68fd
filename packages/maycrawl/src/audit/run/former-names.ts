/**
 * Names that earlier versions wrote to the tables of a run, and the current names. Every reader of these columns uses this module.
 *
 * @module
 */

const FORMER_FACTS: Readonly<Record<string, string>> = { neighbours: 'seriesLinks', isCut: 'isTruncated' };

/**
 * Parses the column `facts` of a page.
 *
 * @throws {SyntaxError} if the text is not JSON.
 */
export function parseStoredFacts(text: string): unknown {
  const facts: unknown = JSON.parse(text);
  if (typeof facts !== 'object' || facts === null) return facts;
  if (!Object.keys(FORMER_FACTS).some((name) => name in facts)) return facts;
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [FORMER_FACTS[name] ?? name, value]),
  );
}

const FORMER_REASONS: ReadonlyMap<string, string> = new Map([
  ['absent', 'unavailable'],
  ['outage-allows', 'outage-expired'],
]);

/** Returns the current form of a code in the column `because` of a verdict. */
export function toCurrentReason(stored: string): string {
  return FORMER_REASONS.get(stored) ?? stored;
}
