// The first of many names, and the number of the others.
import { formatCount } from './counts.ts';

/**
 * Formats the first names: `a, b and 3 more`; all of them if there are no more: `a, b`.
 *
 * @param count - of all names, if the list has only some of them. @defaultValue the length of the list
 */
export function formatFirst(names: readonly string[], max: number, count: number = names.length): string {
  const shown = names.slice(0, max);
  const more = count - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
