// Substring search in linear time.

/**
 * Longest part for which `indexOf` is used. Its worst case is the product of the two lengths: with longer parts, 500 hostile patterns
 * took 1.7 s on a path of 20,000 characters.
 */
const MAX_BUILT_IN = 24;

/** Returns the index of the first occurrence of `part` in `text` at or after `from`; -1 if there is none. */
export function searchPart(text: string, part: string, from: number): number {
  if (part.length > text.length - from) return -1;
  return part.length <= MAX_BUILT_IN ? text.indexOf(part, from) : searchLinear(text, part, from);
}

/** The Knuth-Morris-Pratt algorithm: at most two steps per character of both strings. */
function searchLinear(text: string, part: string, from: number): number {
  // For each prefix of `part`, the length of its longest border: a proper prefix that is also a suffix.
  const borders = new Int32Array(part.length);
  for (let i = 1, length = 0; i < part.length; i++) {
    const code = part.charCodeAt(i);
    while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] as number;
    if (part.charCodeAt(length) === code) length++;
    borders[i] = length;
  }
  for (let at = from, length = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] as number;
    if (part.charCodeAt(length) === code) length++;
    if (length === part.length) return at + 1 - length;
  }
  return -1;
}
