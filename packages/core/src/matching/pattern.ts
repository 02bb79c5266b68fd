// Patterns of allow and disallow rules, and matching of one pattern against a path (RFC 9309 sections 2.2.2 and 2.2.3).
import { SLASH, STAR } from '../bytes/ascii.ts';
import { searchPart } from '../bytes/search.ts';

/** In Google's matcher, an allow rule for the index page of a directory also allows the directory. */
const INDEX_PAGE = '/index.htm';

/**
 * Returns the additional pattern of an allow rule for an index page: `/x/$` for `/x/index.html`.
 *
 * @returns `undefined` if the last path segment does not start with `index.htm`.
 */
export function toDirectoryPattern(pattern: string): string | undefined {
  const slash = pattern.lastIndexOf('/');
  return slash >= 0 && pattern.startsWith(INDEX_PAGE, slash) ? `${pattern.slice(0, slash + 1)}$` : undefined;
}

/**
 * Whether the last path segment of the value in bytes `start` to `end` may start with `index.htm`: whether the last slash is followed
 * by `i`.
 */
export function mayEndWithIndexPage(bytes: Uint8Array, start: number, end: number): boolean {
  // lastIndexOf has no lower limit: it would search up to the start of the file.
  for (let at = end - 1; at >= start; at--) if (bytes[at] === SLASH) return bytes[at + 1] === 0x69;
  return false;
}

/** Whether a pattern matches a path. `*` matches any sequence of characters. A final `$` matches the end of the path. */
export function matchesPattern(path: string, pattern: string): boolean {
  const isAnchored = pattern.endsWith('$');
  return matchesPatternRange(pattern, 0, pattern.length - (isAnchored ? 1 : 0), isAnchored, path, 0);
}

/**
 * Whether the pattern in characters `from` to `end` of `source` matches the path from `start` to the end of `text`.
 *
 * @param isAnchored - whether the pattern ends with `$`. The `$` itself is not part of the range.
 */
export function matchesPatternRange(
  source: string,
  from: number,
  end: number,
  isAnchored: boolean,
  text: string,
  start: number,
): boolean {
  let at = start;
  for (let i = from; i < end; i++, at++) {
    const code = source.charCodeAt(i);
    if (code === STAR) return matchesAfterStar(source, i + 1, end, isAnchored, text, at);
    if (at === text.length || text.charCodeAt(at) !== code) return false;
  }
  return !isAnchored || at === text.length;
}

/**
 * The same for the rest of a pattern after a star, which may match at or after `at`. The parts between stars are searched from left to
 * right. The first occurrence of each part is always the best one, because it leaves the longest rest, so there is no backtracking.
 */
function matchesAfterStar(
  source: string,
  from: number,
  end: number,
  isAnchored: boolean,
  text: string,
  at: number,
): boolean {
  let lastStart = end;
  while (lastStart > from && source.charCodeAt(lastStart - 1) !== STAR) lastStart--;
  // The end of the path is compared first, because it rejects most paths.
  const lastPosition = text.length - (end - lastStart);
  if (isAnchored && (lastPosition < at || !isSubstringAt(source, lastStart, end, text, lastPosition)))
    return false;
  let position = at;
  for (let partStart = from; partStart < lastStart; ) {
    const star = source.indexOf('*', partStart);
    const found = searchPart(text, source.slice(partStart, star), position);
    if (found < 0) return false;
    position = found + star - partStart;
    partStart = star + 1;
  }
  return isAnchored
    ? position <= lastPosition
    : searchPart(text, source.slice(lastStart, end), position) >= 0;
}

/** Whether `text` contains characters `from` to `end` of `source` at `position`. */
function isSubstringAt(source: string, from: number, end: number, text: string, position: number): boolean {
  for (let i = from; i < end; i++) {
    if (text.charCodeAt(position + i - from) !== source.charCodeAt(i)) return false;
  }
  return true;
}
