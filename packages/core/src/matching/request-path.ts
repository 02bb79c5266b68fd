/**
 * The path and query of a URL as a crawler requests them: the path state and the query state of the URL Standard for the
 * special schemes http, https and ftp (https://url.spec.whatwg.org/#path-state, commit 6ae8486 of 2026-07-02).
 *
 * The runtime's URL class is not used here. Its percent-encode sets depend on its age: the standard encodes U+005E (^) in a path
 * since 2025-03-05, Node 20 does not. A verdict or a proof must be the same everywhere. This module does not know schemes,
 * hosts or fragments (target.ts).
 *
 * @module
 */

/** Of these, those with which a segment may begin. */
export const SEGMENT_START = '\\w\\-~!$&()*+,;=:@?[\\]|';

/**
 * Characters that neither percent-encode set contains, as the inside of a character class of a regular expression. Not among them:
 * `/` and `\`, which delimit segments, and `%`, whose digits may change.
 */
export const PLAIN_CHARACTERS: string = `${SEGMENT_START}.`;

/** Without a match, a path and query is in request form. */
const MAY_CHANGE = new RegExp(`[^${PLAIN_CHARACTERS}/]|/\\.`);

// Each match is a run of code points in the set, of bounded length, because engines remember every repetition. Both sets contain the
// C0 control percent-encode set: all code points but U+0020 (space) to U+007E (~).

/** The special-query percent-encode set: the query percent-encode set and U+0027 ('). */
const SPECIAL_QUERY_SET = /(?:[^ -~]|[ "#<>']){1,64}/gu;

/** The path percent-encode set: the query percent-encode set and U+003F (?), U+005E (^), U+0060 (`), U+007B ({) and U+007D (}). */
const PATH_SET = /(?:[^ -~]|[ "#<>?^`{}]){1,64}/gu;

/** An octet with at least one hexadecimal digit in lower case. */
const OCTET_IN_LOWER_CASE = /%(?:[a-f][\da-fA-F]|[\dA-F][a-f])/g;

const DOT_OR_BACKSLASH = /\\|\/(?:\.|%2e)/i;
const SINGLE_DOT_SEGMENT = /^(?:\.|%2e)$/i;
const DOUBLE_DOT_SEGMENT = /^(?:\.|%2e){2}$/i;

/**
 * Brings a path and query to request form: dot segments resolved, `\` in the path as `/`, code points of the percent-encode sets
 * as `%XX`, hexadecimal digits of every `%xx` in upper case. A `?` with an empty query stays. The time is linear in the length.
 *
 * @param pathAndQuery - what follows the host, up to the fragment: empty, or it begins with `/`, `\` or `?`. Tabs, newlines and lone
 *   surrogates have been removed.
 * @returns a path that begins with `/`.
 */
export function toRequestPath(pathAndQuery: string): string {
  if (pathAndQuery[0] === '/' && !MAY_CHANGE.test(pathAndQuery)) return pathAndQuery;
  const queryStart = pathAndQuery.indexOf('?');
  const path = queryStart < 0 ? pathAndQuery : pathAndQuery.slice(0, queryStart);
  const query = queryStart < 0 ? '' : pathAndQuery.slice(queryStart);
  const encoded = encodeText(resolveDotSegments(path), PATH_SET) + encodeText(query, SPECIAL_QUERY_SET);
  return encoded.replace(OCTET_IN_LOWER_CASE, (octet) => octet.toUpperCase());
}

/** The path state, without its percent-encoding. In the path start state the first slash is skipped. */
function resolveDotSegments(path: string): string {
  if (path !== '' && !DOT_OR_BACKSLASH.test(path)) return path;
  const buffers = path.slice(1).split(/[/\\]/);
  const segments: string[] = [];
  for (const [index, buffer] of buffers.entries()) {
    const isDoubleDot = DOUBLE_DOT_SEGMENT.test(buffer);
    if (isDoubleDot) segments.pop();
    if (!isDoubleDot && !SINGLE_DOT_SEGMENT.test(buffer)) segments.push(buffer);
    // A dot segment at the end leaves the slash before it.
    else if (index === buffers.length - 1) segments.push('');
  }
  return `/${segments.join('/')}`;
}

/** UTF-8 percent-encode. What encodeURIComponent leaves as it is, no set contains, but for one character. */
function encodeText(text: string, set: RegExp): string {
  return text.replace(set, (run) => encodeURIComponent(run).replaceAll("'", '%27'));
}
