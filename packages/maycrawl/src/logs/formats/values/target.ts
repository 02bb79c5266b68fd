// The request line and the request target (RFC 9112 section 3), from byte strings.
import { toHost } from './host.ts';

/** What a request line says. */
export interface RequestLine {
  /** Empty if the text is no request line. */
  readonly method: string;
  readonly target: string;
  /** The host of an absolute-form target. */
  readonly host?: string | undefined;
}

const METHOD = /^[\w!#$%&'*+.^`|~-]+$/;
const PROTOCOL = /^HTTP\/\d(?:\.\d)?$/i;

/** Returns a method, or an empty text if a text is not one (RFC 9110 section 9.1). */
export function toMethod(text: string): string {
  return text !== '-' && METHOD.test(text) ? text : '';
}

/**
 * Parses a request line. A line of HTTP/0.9 has no protocol, and the target of an invalid request can contain spaces.
 *
 * @param line - without escapes.
 * @param logged - as the log has it: the target of a text that is no request line, such as the start of a TLS handshake.
 */
export function parseRequestLine(line: string, logged: string): RequestLine {
  const space = line.indexOf(' ');
  const method = toMethod(line.slice(0, Math.max(space, 0)));
  if (method === '') return { method: '', target: encodeBytesOfTarget(logged) };
  const last = line.lastIndexOf(' ');
  const hasProtocol = last > space && PROTOCOL.test(line.slice(last + 1));
  return { method, ...parseTarget(line.slice(space + 1, hasProtocol ? last : line.length)) };
}

/**
 * Converts a request target. The path of an absolute-form one (`http://host/path`) is the target; other ones stay as they were sent, with
 * the bytes that no browser sends percent-encoded: control characters, spaces, and those above 0x7E.
 */
export function parseTarget(target: string): { target: string; host?: string | undefined } {
  const start = getAuthorityStart(target);
  if (start === 0) return { target: encodeBytesOfTarget(target) };
  let end = start;
  while (end < target.length && !'/?#'.includes(target[end] as string)) end++;
  const userEnd = target.lastIndexOf('@', end);
  const host = toHost(target.slice(userEnd >= start ? userEnd + 1 : start, end));
  const rest = target.slice(end);
  return { target: encodeBytesOfTarget(rest[0] === '/' ? rest : `/${rest}`), host };
}

/** The index after `http://` or `https://`; 0 if the target does not begin so. */
function getAuthorityStart(target: string): number {
  const match = /^https?:\/\//i.exec(target);
  return match === null ? 0 : match[0].length;
}

/** Characters of a decoded path that were encoded. A percent sign before two digits may be one that the server did not decode. */
const DECODED = /[?#]|%(?![\da-f]{2})/gi;

/** Joins a path that the server decoded before it wrote it, and a query. */
export function joinDecodedPath(path: string, query: string | undefined): string {
  const encoded = encodeBytesOfTarget(path).replace(DECODED, (char) => encodeURIComponent(char));
  const text = query === undefined || query === '' ? '' : encodeBytesOfTarget(query);
  return text === '' ? encoded : `${encoded}${text[0] === '?' ? '' : '?'}${text}`;
}

const NOT_SENT = /[^!-~]/g;

function encodeBytesOfTarget(target: string): string {
  return target.replace(
    NOT_SENT,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
