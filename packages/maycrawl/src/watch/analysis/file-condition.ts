// Whether a response is a file that crawlers read, or something that a server sends by mistake in its place.
import type { CachedResponse, OriginHistory } from '@maycrawl/client';
import { diagnose, parse } from '@maycrawl/core';

/** `text`: rules can be read from it. The others disallow nothing, whatever their author wrote. */
export type FileCondition = 'text' | 'html' | 'utf-16' | 'empty';

/** The bytes at the start of a file that decide whether it is HTML or UTF-16. */
const START_BYTES = 16_384;

/** Returns the condition of a file. Its time is linear in the file. */
export function getFileCondition(bytes: Uint8Array): FileCondition {
  const start = bytes.subarray(0, START_BYTES);
  if (isUtf16(start)) return 'utf-16';
  if (isBlank(bytes)) return 'empty';
  // Some sites respond with an HTML page to every URL.
  return diagnose(parse(start)).some(({ code }) => code === 'html-content') ? 'html' : 'text';
}

/** Whether a text is in UTF-16: it has a byte order mark, or at least a third of its bytes are NUL, as in ASCII text. */
function isUtf16(start: Uint8Array): boolean {
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return start.length > 1 && start.filter((byte) => byte === 0).length * 3 >= start.length;
}

/** Whether a file has only white space, after a byte order mark. */
function isBlank(bytes: Uint8Array): boolean {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.subarray(hasMark ? 3 : 0).every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** Returns the condition of a response; `absent` if it has no file. */
export function getResponseCondition({ kind, bytes }: CachedResponse): FileCondition | 'absent' {
  return kind === 'unavailable' ? 'absent' : getFileCondition(bytes);
}

/** A state of a site in which crawlers cannot read its rules. */
export type Failure = 'unreachable' | 'absent' | Exclude<FileCondition, 'text'>;

/** Returns the failure of a site; `undefined`: no failure, or never fetched. */
export function getFailure({ response, outage }: OriginHistory): Failure | undefined {
  if (outage !== null) return 'unreachable';
  const condition = response === null ? 'text' : getResponseCondition(response);
  return condition === 'text' ? undefined : condition;
}
