/**
 * Patterns: what the escaped value of an allow or disallow rule stands for, and whether it matches a path (RFC 9309
 * sections 2.2.2 and 2.2.3).
 *
 * @module
 */
import { SLASH, STAR } from '../bytes/ascii.ts';
import { searchPart } from '../bytes/search.ts';

/** Google's matcher lets an allow rule for a directory's index page also allow the directory itself. */
const INDEX_PAGE = '/index.htm';

/**
 * The further pattern that an allow rule for an index page stands for: `/x/index.html` also allows exactly `/x/`, as
 * if `/x/$` stood there.
 *
 * @returns that pattern, or `undefined` where the last path segment does not start with `index.htm`.
 */
export function toDirectoryPattern(pattern: string): string | undefined {
  const slash = pattern.lastIndexOf('/');
  return slash >= 0 && pattern.startsWith(INDEX_PAGE, slash) ? `${pattern.slice(0, slash + 1)}$` : undefined;
}

/**
 * Whether the last segment of the value in bytes `start` to `end` may start with `index.htm`: whether an `i` stands behind the
 * last slash.
 */
export function mayEndWithIndexPage(bytes: Uint8Array, start: number, end: number): boolean {
  // Not lastIndexOf, which would go on to the start of the file.
  for (let at = end - 1; at >= start; at--) if (bytes[at] === SLASH) return bytes[at + 1] === 0x69;
  return false;
}

/** Whether a pattern matches a path: `*` stands for any run of characters; `$` at the pattern's end for the end of the path. */
export function matchesPattern(path: string, pattern: string): boolean {
  const anchored = pattern.endsWith('$');
  return matchesPatternRange(pattern, 0, pattern.length - (anchored ? 1 : 0), anchored, path, 0);
}

/**
 * Whether the pattern in characters `from` to `end` of `source` matches what stands from `start` to the end of `text`.
 *
 * @param anchored - whether it must match to the end. Its `$` is not between `from` and `end`.
 */
export function matchesPatternRange(
  source: string,
  from: number,
  end: number,
  anchored: boolean,
  text: string,
  start: number,
): boolean {
  let at = start;
  for (let i = from; i < end; i++, at++) {
    const code = source.charCodeAt(i);
    if (code === STAR) return matchesAfterStar(source, i + 1, end, anchored, text, at);
    if (at === text.length || text.charCodeAt(at) !== code) return false;
  }
  return !anchored || at === text.length;
}

/**
 * The same for what stands behind a star, which may match anywhere from `at` on. The parts between stars are found from
 * left to right, each as early as it can be: an earlier place leaves more room for the rest, so there is never anything to
 * come back for.
 */
function matchesAfterStar(
  source: string,
  from: number,
  end: number,
  anchored: boolean,
  text: string,
  at: number,
): boolean {
  let lastStart = end;
  while (lastStart > from && source.charCodeAt(lastStart - 1) !== STAR) lastStart--;
  // What the path must end with is looked at first: that settles most.
  const lastPlace = text.length - (end - lastStart);
  if (anchored && (lastPlace < at || !isSubstringAt(source, lastStart, end, text, lastPlace))) return false;
  let place = at;
  for (let partStart = from; partStart < lastStart; ) {
    const star = source.indexOf('*', partStart);
    const found = searchPart(text, source.slice(partStart, star), place);
    if (found < 0) return false;
    place = found + star - partStart;
    partStart = star + 1;
  }
  return anchored ? place <= lastPlace : searchPart(text, source.slice(lastStart, end), place) >= 0;
}

/** Whether characters `from` to `end` of `source` stand at `place` of `text`. */
function isSubstringAt(source: string, from: number, end: number, text: string, place: number): boolean {
  for (let i = from; i < end; i++) {
    if (text.charCodeAt(place + i - from) !== source.charCodeAt(i)) return false;
  }
  return true;
}
