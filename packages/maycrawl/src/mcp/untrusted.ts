// Text of files and sites in results. Its author may address the model that reads the result, so it stands only in fields with the name
// `untrusted`, bounded and without characters that a reader cannot see. All other text of a result is the program's own, or its caller's.
import { truncate } from '@maycrawl/core/internal';
import { visible, visibleLines } from '../text/printable.ts';

/** Characters of one text. */
const MAX_CHARS = 500;

/** Returns an untrusted text for a result, in one line. */
export function quoteUntrusted(text: string): string {
  return truncate(visible(truncate(text, MAX_CHARS)), MAX_CHARS);
}

/** Returns the first lines of an untrusted text for a result, `maxChars` characters at most. */
export function quoteUntrustedLines(text: string, maxChars: number): string {
  return truncate(visibleLines(truncate(text, maxChars)), maxChars);
}
