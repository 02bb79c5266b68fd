/**
 * Texts of sites in reports, which are bounded.
 *
 * @module
 */

/** Cuts a text that is longer than a number of characters, and marks the cut with "…". */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}
