/**
 * What things take in memory, as measured on V8 (Node 20, 64 bit): the sum of these estimates is held against the heap by
 * a test.
 *
 * @module
 */

/** An object with a few fields. */
export const OBJECT_BYTES = 56;

/** A document, without its content. */
export const DOCUMENT_BYTES = 48;

/** A ruleset, without what finds its winners. */
export const RULESET_BYTES = 72;

/** A typed array, on top of its elements. */
export const ARRAY_BYTES = 190;

/** A string of characters up to U+00FF. */
export function estimateStringBytes(text: string): number {
  return text.length + 24;
}
