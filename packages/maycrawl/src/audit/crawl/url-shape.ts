// Endless URLs: calendars, session ids, every order of a list of goods. Such URLs have a shape, and the number of requests for one shape
// is limited.
import { truncate } from '@maycrawl/core/internal';
import { getPathStart } from '@maycrawl/core/url';

/** A path with more segments, or more repetitions of one segment, is considered a mistake. */
const MAX_SEGMENTS = 40;
const MAX_REPEATED = 4;
/** Longer URLs are not requested. Bytes and characters are the same here. */
export const MAX_URL = 8_192;
/** Characters of the path in a shape. */
const MAX_SHAPE = 200;

/** Year and month, as calendars and archives have them. */
const DATE = /(?:^|[/_-])(?:19|20)\d\d[/_-](?:0?[1-9]|1[0-2])(?=[/_.-]|$)/;
/** A run of letters and digits as long as a session id. */
const LONG_RUN = /[0-9a-z]{16,}/gi;

/** Describes the mistake in a URL; `null` if there is none. */
export function findMistake(url: string): string | null {
  if (url.length > MAX_URL) return `longer than ${MAX_URL} characters`;
  const segments = getPath(url).split('/');
  if (segments.length > MAX_SEGMENTS) return `a path of more than ${MAX_SEGMENTS} segments`;
  if (segments.length <= MAX_REPEATED) return null;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    if (segment === '') continue;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > MAX_REPEATED) return `"${truncate(segment, 40)}" more than ${MAX_REPEATED} times in the path`;
    counts.set(segment, count);
  }
  return null;
}

/**
 * Returns the shape of a URL: host, path without numbers and ids, and the names in the query.
 *
 * @returns `null` for a URL without query, date, parameter and id, which cannot belong to an endless series.
 */
export function getShape(url: string): string | null {
  const query = url.indexOf('?');
  const beginning = query < 0 ? url : url.slice(0, query);
  const isSuspect =
    query >= 0 ||
    beginning.includes(';') ||
    DATE.test(beginning) ||
    beginning.match(LONG_RUN)?.some(isId) === true;
  if (!isSuspect) return null;
  const host = getPathStart(beginning);
  const path = beginning
    .slice(host)
    .replace(/;[^/]*/g, (parameters) => parameters.replace(/=[^;]*/g, '='))
    .replace(LONG_RUN, (run) => (isId(run) ? '#' : run))
    .replace(/\d+/g, '#');
  const shape = `${beginning.slice(0, host)}${path.slice(0, MAX_SHAPE)}`;
  if (query < 0) return shape;
  const names = new Set(
    url
      .slice(query + 1)
      .split('&')
      .map((part) => part.split('=', 1)[0]?.replace(/\d+/g, '#').slice(0, 40)),
  );
  return `${shape}?${[...names].sort().join('&').slice(0, MAX_SHAPE)}`;
}

/** Whether a run has both letters and digits, unlike words and numbers. */
function isId(run: string): boolean {
  return /\d/.test(run) && /[a-z]/i.test(run);
}

function getPath(url: string): string {
  const query = url.indexOf('?');
  return url.slice(getPathStart(url), query < 0 ? undefined : query);
}
