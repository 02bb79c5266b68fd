// ASCII white space of texts in HTML (Infra Standard, section 4.6). A no-break space is not white space.
import { truncate } from '@maycrawl/core/internal';

/** Replaces white space by one space each. */
export function collapse(text: string): string {
  return / {2}|[\t\n\f\r]/.test(text) ? text.replace(/[\t\n\f\r ]+/g, ' ') : text;
}

/** The same, without white space at both ends. */
export function stripAndCollapse(text: string): string {
  return collapse(text).replace(/^ | $/g, '');
}

/** Truncates a long text without a mark, and removes a space at the new end. */
export function truncateStripped(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : truncate(text, maxLength, '').replace(/ $/, '');
}
