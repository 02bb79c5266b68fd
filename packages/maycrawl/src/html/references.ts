// Character references, such as `&amp;` (HTML Standard, section 13.2.5.72). Few texts have any, so they are resolved apart
// from everything else, in those that have.
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';

/** The value of an attribute as it is meant. */
export function decodeAttribute(value: string): string {
  return value.includes('&') ? decodeHTMLAttribute(value) : value;
}

/** Text as it is meant. */
export function decodeText(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}
