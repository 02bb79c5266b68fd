// A page of the site, and the expected evidence about it. Expectations are written by hand from the documentation: nothing
// here calls the tested code.

/** The crawlers for which the site is audited, in the order of every list of four. */
export const AGENTS = ['Googlebot', 'Googlebot-News', 'bingbot', 'examplebot'] as const;

/** One value for all crawlers, or one for each: Googlebot, Googlebot-News, bingbot, examplebot. */
export type ByAgent = string | readonly [google: string, googleNews: string, bing: string, example: string];

/** How a page is served. In headers and bodies `{origin}` is the origin of the site. */
export interface Served {
  /** @defaultValue 200 */
  readonly status?: number;
  /** `Content-Type: text/html; charset=utf-8` is the default type. `null` removes a header. */
  readonly headers?: readonly (readonly [name: string, value: string | null])[];
  readonly body?: string | Uint8Array;
}

/**
 * A URL of the site. A `ByAgent` value applies to each crawler that may fetch the URL; all evidence is hidden from the others.
 */
export interface Case {
  /** Path and query as requested by crawlers, or an absolute URL on another host. */
  readonly url: string;
  /** `null`: no resource, and no crawler may fetch it. */
  readonly served: Served | null;
  /** The state of the URL. @defaultValue `fetched` */
  readonly state?: 'blocked' | 'outside' | 'crawl-trap';
  /** Whether it is fetched although it is outside the scope. @defaultValue false */
  readonly isTarget?: boolean;
  /** The number of requests. @defaultValue 1 */
  readonly tries?: number;
  /** Whether the list of its topic has a link to it. @defaultValue true */
  readonly isListed?: boolean;
  /** `+` or `-` and the line of the robots.txt. @defaultValue {@link OPEN} */
  readonly crawl?: ByAgent;
  /** The redirects from this URL: `301 /b, 302 /c`. @defaultValue no redirect */
  readonly redirects?: ByAgent;
  /** The directives that forbid indexing: `meta *: none; header googlebot: noindex`. @defaultValue no directive */
  readonly noindex?: ByAgent;
  /** `absent`, `self`, `other /b` or `conflict /b /c`. @defaultValue `absent` */
  readonly canonical?: string;
  /** The reasons, primary one first: `noindex canonicalised`. @defaultValue empty: indexable */
  readonly reasons?: ByAgent;
  /** The reasons that a block hides. */
  readonly maskedReasons?: ByAgent;
  /** The number of links from the start; `null` if no link reaches it. @defaultValue 2 */
  readonly depth?: number | null;
  /** The URLs that the page names, each with its link type, in any order: `link /b`, `nofollow /b`, `redirect /b`. */
  readonly links?: readonly string[];
}

/** The decision for URLs that no longer rule matches: an empty rule in the `*` group, on line 33, disallows nothing. */
export const OPEN: ByAgent = ['+0', '+0', '+0', '+33'];

/** Returns the value for the crawler at an index of {@link AGENTS}. */
export function getForAgent(value: ByAgent, agent: number): string {
  return typeof value === 'string' ? value : (value[agent] as string);
}

/** Formats a valid document. */
export function html(head = '', body = ''): string {
  return `<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body><p>Text. ${body}</p></body></html>`;
}

/** Returns the reason for each crawler with a non-empty value. */
export function reasonIf(reason: string, value: ByAgent): ByAgent {
  const toReason = (text: string): string => (text === '' ? '' : reason);
  return typeof value === 'string'
    ? toReason(value)
    : [toReason(value[0]), toReason(value[1]), toReason(value[2]), toReason(value[3])];
}
