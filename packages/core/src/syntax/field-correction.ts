// Corrections of field names that parsers do not accept.
import { computeEditDistance } from '../bytes/edit-distance.ts';

/** The fields of the protocol, and the greatest edit distance of a misspelling. A doubtful rule is rather a restriction, so `Disallow` is first. */
const CORRECTIONS: readonly (readonly [name: string, maxDistance: number])[] = [
  ['Disallow', 2],
  ['User-agent', 2],
  ['Sitemap', 2],
  ['Allow', 1],
];

/**
 * Finds the field of the protocol that a misspelled one most probably means.
 *
 * @param field - a field that parsers do not accept.
 * @param value - its value. `Allow` is so short that two edits are only a misspelling in front of a pattern, and with the same first
 *   letter: "NoAllow: /" does not allow anything.
 * @returns the name in its standard spelling; `undefined` if the field is probably another one.
 */
export function findFieldCorrection(field: string, value: string): string | undefined {
  const lowerCase = field.toLowerCase();
  const isRule = lowerCase.startsWith('a') && /^[/*]/.test(value);
  for (const [name, maxDistance] of CORRECTIONS) {
    const limit = name === 'Allow' && isRule ? 2 : maxDistance;
    if (Math.abs(name.length - field.length) > limit) continue;
    if (computeEditDistance(name.toLowerCase(), lowerCase, limit) <= limit) return name;
  }
  return undefined;
}
