/**
 * Names in the JSON that earlier versions stored, and the current names. A migration (tables.ts) renames the values of columns.
 *
 * @module
 */
// cspell:disable
import { fromStoredPolicy } from '@maycrawl/client/origins';

const FORMER: Readonly<Record<string, string>> = {
  critical: 'error',
  notice: 'info',
  'tests-mended': 'tests-fixed',
  'outage-allows': 'outage-expired',
};

/** Returns the current form of a severity, an aspect or a code. */
export function toCurrentName(stored: string): string {
  return FORMER[stored] ?? stored;
}

/** Returns the current form of the severities in stored settings. Other values are returned as they are. */
export function toCurrentSeverities(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  return Object.fromEntries(
    Object.entries(stored).map(([aspect, severity]) => [
      toCurrentName(aspect),
      typeof severity === 'string' ? toCurrentName(severity) : severity,
    ]),
  );
}

/**
 * Parses the details of a stored event.
 *
 * @throws {SyntaxError} if the text is not JSON.
 */
export function parseStoredDetails(text: string): object {
  const details = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { aspects, changes, tests, holds, ...others } = details;
  const isOutage = typeof details['since'] === 'number';
  return {
    ...(isOutage ? (rename(others, 'reason', 'message') as object) : others),
    ...(Array.isArray(aspects) && { aspects: aspects.map(toCurrentName) }),
    ...(Array.isArray(changes) && { changes: changes.map((each) => rename(each, 'crawlers', 'agents')) }),
    ...(tests !== undefined && { tests: rename(tests, 'mended', 'fixed') }),
    ...(holds !== undefined && { policy: fromStoredPolicy(holds) ?? { kind: 'unknown' } }),
  };
}

/** Renames a property of an object. Other values are returned as they are. */
function rename(value: unknown, from: string, to: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [name === from ? to : name, content]),
  );
}
