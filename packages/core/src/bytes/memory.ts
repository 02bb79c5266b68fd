// Estimates of memory use, measured on V8 (Node 20, 64 bit). A test compares their sum with the heap.

/** Bytes of an object with a few fields. */
export const OBJECT_BYTES = 56;

/** Bytes of a `RobotsTxt` without its content. */
export const DOCUMENT_BYTES = 40;

/** Bytes of a `Ruleset` without its compiled rules and matches. */
export const RULESET_BYTES = 72;

/** Bytes of a match that stays in memory, with short texts. */
export const MATCH_BYTES = 200;

/** Bytes of a typed array without its elements. */
export const ARRAY_BYTES = 190;

/** Bytes of an array of small integers or references: its object, a header, and the elements. */
export function estimateArrayBytes(length: number): number {
  return 48 + 8 * length;
}

/** Bytes of a string with characters up to U+00FF: a header of 16, and the characters in units of 8. */
export function estimateStringBytes(text: string): number {
  return (text.length + 23) & -8;
}
