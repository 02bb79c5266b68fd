// Text as Python 3 reads it: `bytes.decode`, `str.splitlines`, `str.strip`, and `urllib.parse.quote` and `unquote`.

import { isUtf8 } from 'node:buffer';

/** Without removing a byte order mark, as `bytes.decode('utf-8')`. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const replacing = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes UTF-8 strictly. `null` where Python raises UnicodeDecodeError. */
export function decodeStrict(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** The first code unit of the surrogates that stand for bytes that are not UTF-8 (PEP 383). */
const ESCAPE = 0xdc00;

/** Decodes UTF-8. Each byte that is not part of it becomes a lone surrogate, as with the error handler `surrogateescape`. */
export function decodeWithEscapes(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return strict.decode(bytes);
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = getSequenceLength(bytes, at);
    // Unlike the decoder, it throws no exception, which takes longer than all the rest.
    if (length === 1 || (length > 1 && isUtf8(bytes.subarray(at, at + length)))) at += length;
    else {
      parts.push(
        strict.decode(bytes.subarray(start, at)),
        String.fromCharCode(ESCAPE + (bytes[at] as number)),
      );
      at++;
      start = at;
    }
  }
  parts.push(strict.decode(bytes.subarray(start)));
  return parts.join('');
}

/** Returns the length that the first byte of a UTF-8 sequence announces; 0 if no sequence begins with it. */
function getSequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/** Encodes UTF-8. The surrogates of {@link decodeWithEscapes} become their bytes. */
function encodeWithEscapes(text: string): number[] {
  if (!/[\udc80-\udcff]/.test(text)) return [...encoder.encode(text)];
  return [...text].flatMap((char) => {
    const unit = char.charCodeAt(0);
    const isEscape = char.length === 1 && unit >= ESCAPE + 0x80 && unit <= ESCAPE + 0xff;
    return isEscape ? [unit - ESCAPE] : [...encoder.encode(char)];
  });
}

/** Splits at every line boundary that Python knows, of which robots.txt has only two. */
export function splitLines(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are line boundaries in Python.
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** White space by `str.isspace`. U+FEFF, which JavaScript trims, does not belong to it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python strips these control characters.
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Removes white space from both ends. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text[start] as string)) start++;
  while (end > start && SPACE.test(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

/** Returns a line without its comment and the white space around the rest. */
export function stripComment(line: string): string {
  const hash = line.indexOf('#');
  return strip(hash < 0 ? line : line.slice(0, hash));
}

/** Splits a line at its first colon. `null` if it has none. */
export function splitField(line: string): readonly [field: string, value: string] | null {
  const colon = line.indexOf(':');
  return colon < 0 ? null : [strip(line.slice(0, colon)).toLowerCase(), strip(line.slice(colon + 1))];
}

/** Percent-decodes. Bytes that are not UTF-8 become U+FFFD. */
export function unquote(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => replacing.decode(readOctets(run)));
}

/** Percent-encodes all characters but letters, digits, `_.-~` and `/`. */
export function quote(text: string): string {
  return text.replace(/[^A-Za-z0-9_.~/-]+/g, (run) =>
    encodeWithEscapes(run)
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

/** Percent-decodes and percent-encodes again, with bytes that are not UTF-8 unchanged. */
export function requote(text: string): string {
  return quote(text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => decodeWithEscapes(readOctets(run))));
}

function readOctets(run: string): Uint8Array {
  return Uint8Array.from(run.match(/[0-9a-fA-F]{2}/g) ?? [], (octet) => Number.parseInt(octet, 16));
}
