/**
 * The comparison of RFC 9309 section 2.2.2, used by profiles that compare `decoded` (docs/decisions/0002).
 *
 * Percent-encoded unreserved characters are decoded; all other octets are compared encoded, so that `:` and `%3A`, or `*`
 * in a URL and `%2A` in a pattern, are the same. `/` and `?` stay as they are written: they delimit, and RFC 3986 section
 * 2.2 tells a delimiter from its encoded form. In a query they delimit nothing, and both forms are the same there, as the
 * RFC's own example `?baz=https%3A%2F%2Ffoo.bar` has it. Where the query is, is known only of a URL; so it is the URL that
 * is compared in several forms.
 *
 * @module
 */
import { DOLLAR, isHexDigit, isUnreserved, PERCENT, percentEncode, QUESTION, SLASH, STAR } from './ascii.ts';
import { encodeUtf8 } from './platform.ts';

/** A pattern in the form in which it is compared. Its `*` and a `$` at its end stay special. */
export function toComparedPattern(pattern: string): string {
  return toComparisonForm(pattern, true);
}

/**
 * The forms in which a path with its query is compared, each once: as it is written, and with the slashes and question
 * marks inside the query all decoded, and all encoded. A pattern that matches any of them matches.
 */
export function toComparedPaths(path: string): string[] {
  const written = toComparisonForm(path, false);
  const queryStart = written.indexOf('?') + 1;
  if (queryStart === 0) return [written];
  const [before, query] = [written.slice(0, queryStart), written.slice(queryStart)];
  const decoded = query.replaceAll('%2F', '/').replaceAll('%3F', '?');
  const encoded = query.replaceAll('/', '%2F').replaceAll('?', '%3F');
  return [...new Set([written, before + decoded, before + encoded])];
}

function toComparisonForm(text: string, isPattern: boolean): string {
  const bytes = encodeUtf8(text);
  let form = '';
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] as number;
    const encoded = byte === PERCENT && isHexDigit(bytes[at + 1]) && isHexDigit(bytes[at + 2]);
    if (encoded) {
      byte = Number.parseInt(String.fromCharCode(bytes[at + 1] as number, bytes[at + 2] as number), 16);
      at += 2;
    }
    const special = isPattern && (byte === STAR || (byte === DOLLAR && at === bytes.length - 1));
    const staysAsWritten = byte === SLASH || byte === QUESTION || byte === PERCENT || special;
    form +=
      isUnreserved(byte) || (staysAsWritten && !encoded) ? String.fromCharCode(byte) : percentEncode(byte);
  }
  return form;
}
