/**
 * Patterns: what the escaped value of an allow or disallow rule stands for, and whether it matches a path (RFC 9309
 * sections 2.2.2 and 2.2.3).
 *
 * @module
 */
import { searchPart } from './search.ts';

/** Google's matcher lets an allow rule for a directory's index page also allow the directory itself. */
const INDEX_PAGE = '/index.htm';

/**
 * The further pattern that an allow rule for an index page stands for: `/x/index.html` also allows exactly `/x/`, as
 * if `/x/$` stood there.
 *
 * @returns that pattern, or `undefined` where the last path segment does not start with `index.htm`.
 */
export function directoryPattern(pattern: string): string | undefined {
  const slash = pattern.lastIndexOf('/');
  return slash >= 0 && pattern.startsWith(INDEX_PAGE, slash) ? `${pattern.slice(0, slash + 1)}$` : undefined;
}

/**
 * Whether a pattern matches a path from its first character on. `*` stands for any run of characters; `$` at the
 * pattern's end for the end of the path.
 *
 * The parts between the stars are found from left to right, each as early as it can be, and never sought again: an
 * earlier place leaves more room for the rest, so there is nothing to come back for.
 */
export function matchesPattern(path: string, pattern: string): boolean {
  const anchored = pattern.endsWith('$');
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = parts[0] as string;
  if (!path.startsWith(first)) return false;
  if (parts.length === 1) return !anchored || path.length === first.length;
  let at = first.length;
  const lastIndex = parts.length - 1;
  for (let i = 1; i < lastIndex; i++) {
    const part = parts[i] as string;
    const found = searchPart(path, part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts[lastIndex] as string;
  if (!anchored) return searchPart(path, last, at) >= 0;
  return path.length - last.length >= at && path.endsWith(last);
}
