// The comparison of RFC 9309 section 2.2.2, for profiles with `comparison: 'decoded'` (docs/decisions/0002).
//
// Percent-encoded unreserved characters are decoded. All other octets are compared encoded, so that `:` equals `%3A`, and `*` in a
// URL equals `%2A` in a pattern. `/` and `?` are delimiters and stay unchanged: a delimiter differs from its encoded form (RFC 3986
// section 2.2). In a query they are not delimiters, and both forms are equal, as in the example `?baz=https%3A%2F%2Ffoo.bar` of the
// RFC. A pattern does not show where the query starts, but a URL does, so the URL is compared in several forms.
import { DOLLAR, isHexDigit, isUnreserved, PERCENT, percentEncode, QUESTION, SLASH, STAR } from './ascii.ts';
import { encodeUtf8 } from './platform.ts';

/** Converts a pattern to its comparison form. `*` and a final `$` stay special. */
export function toComparedPattern(pattern: string): string {
  return toComparisonForm(pattern, true);
}

/**
 * Converts a path with its query to its distinct comparison forms: with the slashes and question marks in the query unchanged, all
 * decoded, and all encoded. A pattern matches the path if it matches one of the forms.
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
