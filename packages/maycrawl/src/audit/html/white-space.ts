/**
 * ASCII white space of texts in HTML (Infra Standard, section 4.6). A no-break space is not white space.
 *
 * @module
 */

/** Replaces white space by one space each. */
export function collapse(text: string): string {
  return / {2}|[\t\n\f\r]/.test(text) ? text.replace(/[\t\n\f\r ]+/g, ' ') : text;
}

/** The same, without white space at both ends. */
export function stripAndCollapse(text: string): string {
  return collapse(text).replace(/^ | $/g, '');
}

/** Cuts a long text between two characters, and removes a space at the new end. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isInPair = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  return text.slice(0, limit - (isInPair ? 1 : 0)).replace(/ $/, '');
}
