// The path and query of a URL in request form: the path state and the query state of the URL Standard for the special schemes http,
// https and ftp (https://url.spec.whatwg.org/#path-state, commit 6ae8486 of 2026-07-02).
//
// The runtime's URL class is not used, because its percent-encode sets depend on its version: the standard has encoded U+005E (^) in
// paths since 2025-03-05, but Node 20 does not. Verdicts and proofs must be the same on all runtimes. This module does not know
// schemes, hosts or fragments (target.ts).

/** The {@link PLAIN_CHARACTERS} with which a segment in request form may begin: all except `.`. */
export const SEGMENT_START = '\\w\\-~!$&()*+,;=:@?[\\]|';

/**
 * Characters that are in neither percent-encode set, as the content of a regular expression's character class. Excluded are `/` and
 * `\`, which delimit segments, and `%`, whose digits may change.
 */
export const PLAIN_CHARACTERS: string = `${SEGMENT_START}.`;

/** A path and query without a match is in request form. */
const MAY_CHANGE = new RegExp(`[^${PLAIN_CHARACTERS}/]|/\\.`);

// A match is a run of code points in the set. Its length is bounded, because regular expression engines take memory per repetition.
// Both sets contain the C0 control percent-encode set: all code points except U+0020 (space) to U+007E (~).

/** The special-query percent-encode set: the query percent-encode set and U+0027 ('). */
const SPECIAL_QUERY_SET = /(?:[^ -~]|[ "#<>']){1,64}/gu;

/** The path percent-encode set: the query percent-encode set and U+003F (?), U+005E (^), U+0060 (`), U+007B ({) and U+007D (}). */
const PATH_SET = /(?:[^ -~]|[ "#<>?^`{}]){1,64}/gu;

/** A percent-encoded octet with at least one hexadecimal digit in lower case. */
const OCTET_IN_LOWER_CASE = /%(?:[a-f][\da-fA-F]|[\dA-F][a-f])/g;

const DOT_OR_BACKSLASH = /\\|\/(?:\.|%2e)/i;
const SINGLE_DOT_SEGMENT = /^(?:\.|%2e)$/i;
const DOUBLE_DOT_SEGMENT = /^(?:\.|%2e){2}$/i;

/**
 * Converts a path and query to request form: resolves dot segments, replaces `\` in the path with `/`, percent-encodes the code points
 * of the percent-encode sets, and converts the hexadecimal digits of each `%xx` to upper case. A `?` with an empty query stays. The
 * time is linear in the length.
 *
 * @param pathAndQuery - the part of a URL between authority and fragment: empty, or it begins with `/`, `\` or `?`. It must not contain
 *   tabs, newlines or lone surrogates.
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

/** The path state without percent-encoding. The path start state skips the first slash. */
function resolveDotSegments(path: string): string {
  if (path !== '' && !DOT_OR_BACKSLASH.test(path)) return path;
  const buffers = path.slice(1).split(/[/\\]/);
  const segments: string[] = [];
  for (const [index, buffer] of buffers.entries()) {
    const isDoubleDot = DOUBLE_DOT_SEGMENT.test(buffer);
    if (isDoubleDot) segments.pop();
    if (!isDoubleDot && !SINGLE_DOT_SEGMENT.test(buffer)) segments.push(buffer);
    // A dot segment at the end leaves an empty segment.
    else if (index === buffers.length - 1) segments.push('');
  }
  return `/${segments.join('/')}`;
}

/** UTF-8 percent-encode. encodeURIComponent encodes all code points of the sets except U+0027 ('). */
function encodeText(text: string, set: RegExp): string {
  return text.replace(set, (run) => encodeURIComponent(run).replaceAll("'", '%27'));
}
