/**
 * What a page of the site is, and what must be found out about it. Expectations are written by hand, from the contract alone: nothing
 * here asks the code that is tested.
 *
 * @module
 */

/** The crawlers for which the site is audited, in the order of every list of four. */
export const AGENTS = ['Googlebot', 'Googlebot-News', 'bingbot', 'examplebot'] as const;

/** One value for all crawlers, or one for each: Googlebot, Googlebot-News, bingbot, examplebot. */
export type ByAgent = string | readonly [google: string, news: string, bing: string, example: string];

/** How a page is served. In headers and bodies `{origin}` is that of the site. */
export interface Served {
  /** 200, if it is not told. */
  readonly status?: number;
  /** `Content-Type: text/html; charset=utf-8` is added, unless there is one here. `null` takes it away. */
  readonly headers?: readonly (readonly [name: string, value: string | null])[];
  readonly body?: string | Uint8Array;
}

/**
 * A URL of the site. What is told with `ByAgent` is what each crawler that may fetch it sees; from one that may not, everything is hidden.
 */
export interface Case {
  /** Path and query, as crawlers ask for it; whole, if it is on another host. */
  readonly url: string;
  /** `null`: nothing is there, and nobody may ask for it. */
  readonly served: Served | null;
  /** What becomes of the URL: `fetched`, if it is not told. */
  readonly state?: 'blocked' | 'outside' | 'trap';
  /** How often it is fetched: once, if it is not told. */
  readonly tries?: number;
  /** Whether the list of its topic has a link to it: so, if it is not told. */
  readonly isListed?: boolean;
  /** `+` or `-` and the line of the robots.txt; {@link OPEN}, if it is not told. */
  readonly crawl?: ByAgent;
  /** `301 /b, 302 /c`: the redirects from here on. None, if it is not told. */
  readonly redirects?: ByAgent;
  /** `meta *: none; header googlebot: noindex`: why it must not be indexed. Nothing, if it is not told. */
  readonly noindex?: ByAgent;
  /** `absent`, if it is not told; `self`, `other /b`, `conflict /b /c`. */
  readonly canonical?: string;
  /** `html /b`, `header /c`, `html in-body`: what names a canonical, in order, headers first. Not looked at, if it is not told. */
  readonly statements?: readonly string[];
  /** `noindex canonicalised`, the primary one first; empty for what is indexable, as it is if it is not told. */
  readonly reasons?: ByAgent;
  /** The same, of what a block hides. */
  readonly hidden?: ByAgent;
  /** Links from the start; 2, if it is not told; `null`: none leads there. */
  readonly depth?: number | null;
  /** `link /b`, `nofollow /b`, `redirect /b`, ...: what the page names, in any order. */
  readonly leads?: readonly string[];
}

/** What the robots.txt says of what none of its longer rules is about: an empty rule for everybody, on line 33, forbids nothing. */
export const OPEN: ByAgent = ['+0', '+0', '+0', '+33'];

/** The value for the crawler of that place. */
export function forAgent(value: ByAgent, agent: number): string {
  return typeof value === 'string' ? value : (value[agent] as string);
}

/** A document that is as it should be. */
export function html(head = '', body = ''): string {
  return `<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body><p>Text. ${body}</p></body></html>`;
}

/** The same reason for each crawler for which there is something. */
export function reasonIf(reason: string, value: ByAgent): ByAgent {
  const of = (text: string): string => (text === '' ? '' : reason);
  return typeof value === 'string' ? of(value) : [of(value[0]), of(value[1]), of(value[2]), of(value[3])];
}
