// Names of query parameters and JSON properties that a route does not have. Ignored, a misspelled `profile` would give the verdict of another
// reader.
import { findNearestName, quoteValue } from '@maycrawl/core/internal';
import { Problem } from './problems.ts';

/**
 * Describes the first name that is not a known one.
 *
 * @param kind - what has the name, such as `query parameter`.
 * @returns `undefined` if all names are known.
 */
export function describeUnknownName(
  given: Iterable<string>,
  names: readonly string[],
  kind: string,
): string | undefined {
  for (const name of given) {
    if (names.includes(name)) continue;
    const nearest = findNearestName(name, names);
    const hint =
      nearest !== undefined
        ? `did you mean "${nearest}"?`
        : names.length === 0
          ? 'there are none here'
          : `use ${names.join(', ')}`;
    return `unknown ${kind} ${quoteValue(name)}: ${hint}`;
  }
  return undefined;
}

/** Returns the problem of the first name of an object that is not a known one; `undefined` without one, and for other values. */
export function findUnknownName(value: unknown, names: readonly string[], kind: string): Problem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const text = describeUnknownName(Object.keys(value), names, kind);
  return text === undefined ? undefined : new Problem('invalid-request', text);
}
