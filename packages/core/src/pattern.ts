/**
 * Patterns: the value of an allow or disallow rule in the form in which it is compared with a URL's path, and the
 * comparison itself (RFC 9309 sections 2.2.2 and 2.2.3).
 *
 * @module
 */
import { isHexDigit, PERCENT, percentEncode } from './ascii.ts';

/** Google's matcher lets an allow rule for a directory's index page also allow the directory itself. */
const INDEX_PAGE = '/index.htm';

/**
 * The pattern in bytes `start` to `end`, escaped: octets from 0x80 on as `%XX`, hex digits of an existing `%xx` in
 * upper case, everything else as it is. The result is ASCII. Its length is the rule's priority.
 */
export function escapePattern(bytes: Uint8Array, start: number, end: number): string {
  let escaped = '';
  let copied = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) {
      escaped += asciiText(bytes, copied, at) + percentEncode(byte);
      copied = at + 1;
    } else if (byte === PERCENT && at + 2 < end && isHexDigit(bytes[at + 1]) && isHexDigit(bytes[at + 2])) {
      escaped += asciiText(bytes, copied, at) + asciiText(bytes, at, at + 3).toUpperCase();
      at += 2;
      copied = at + 1;
    }
  }
  return escaped + asciiText(bytes, copied, end);
}

/** A line has at most 16,663 bytes, so one call can take all of them as arguments. */
function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

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
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts[lastIndex] as string;
  if (!anchored) return path.indexOf(last, at) >= 0;
  return path.length - last.length >= at && path.endsWith(last);
}
