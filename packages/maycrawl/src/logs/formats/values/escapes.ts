// Escapes in the fields of access logs. Texts are byte strings here: one character (U+0000 to U+00FF) for each byte of the request.
//
// Apache writes `\"`, `\\`, `\n`, `\r`, `\t`, `\b`, `\f`, `\v` and `\xhh` (server/util.c, `ap_escape_logitem`, httpd 2.4). nginx writes
// `\xHH` for `"`, `\` and all bytes that are not printable ASCII, or, with `escape=json`, the escapes of JSON
// (src/http/modules/ngx_http_log_module.c, nginx 1.27). None of the three uses an escape of another one for something else, so that one
// function reads them all.
import { isUtf8 } from 'node:buffer';

const ESCAPE = /\\(?:x[\da-f]{2}|u[\da-f]{4}|["\\/bfnrtv])/gi;
const CONTROLS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Replaces the escapes of Apache and nginx by their bytes. A backslash that begins no escape stays. */
export function unescapeBackslashes(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPE, decodeOne) : text;
}

function decodeOne(written: string): string {
  const kind = (written[1] as string).toLowerCase();
  if (kind === 'x') return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  if (kind === 'u') return encodeBytes(String.fromCharCode(Number.parseInt(written.slice(2), 16)));
  // Only the lower-case letters are escapes.
  return written[1] === kind ? (CONTROLS[kind] ?? kind) : written;
}

const OCTET = /%[\da-f]{2}/gi;

/** Replaces each `%xx` by its byte. */
export function decodePercent(text: string): string {
  return text.includes('%')
    ? text.replace(OCTET, (octet) => String.fromCharCode(Number.parseInt(octet.slice(1), 16)))
    : text;
}

/** Converts a text to the byte string of its UTF-8 encoding. */
export function encodeBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

/** Decodes a byte string as UTF-8, or as ISO 8859-1 if it is not valid UTF-8. */
export function decodeBytes(bytes: string): string {
  if (isAscii(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString() : bytes;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
