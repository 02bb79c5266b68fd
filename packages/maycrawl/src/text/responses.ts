// What responses and failures are called in sentences about one URL, in the report of an audit and in the check of a page. Texts of
// sites are as they were sent: the caller escapes them.
import { freezeDeep } from '@maycrawl/core/internal';

/** As redirects.ts of the client has them, which pages do not load. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Describes the status of a response that is no page: "responds with a server error (status 503)". */
export function describeStatus(status: number): string {
  if (status === 404) return 'was not found (status 404)';
  if (status === 410) return 'was removed (status 410)';
  if (status === 401 || status === 403) return `denies access (status ${status})`;
  if (status === 429) return 'responds that there are too many requests (status 429)';
  if (status >= 500 && status < 600) return `responds with a server error (status ${status})`;
  if (REDIRECTS.has(status)) return `redirects without a valid target (status ${status})`;
  return `responds with status ${status}`;
}

/** The kinds of failures of requests. */
export const REQUEST_FAILURES: Readonly<Record<string, string>> = /* @__PURE__ */ freezeDeep({
  timeout: 'the response took too long',
  network: 'the connection failed',
  'private-address': 'its address is private, and --allow-private was not given',
  'blocked-port': 'its port is blocked',
});

/** Describes a statement for crawlers: `a meta tag for all crawlers says "noindex"`. @param agent - `null`: for all. */
export function describeRobotsStatement(from: string, agent: string | null, text: string): string {
  const place = from === 'meta' ? 'a meta tag' : 'the header X-Robots-Tag';
  return `${place} for ${agent ?? 'all crawlers'} says "${text}"`;
}
