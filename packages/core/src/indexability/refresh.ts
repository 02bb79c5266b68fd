/**
 * Declarative refresh: `<meta http-equiv="refresh">` and the Refresh header (HTML Standard, section 4.2.5.3, "shared
 * declarative refresh steps").
 *
 * @module
 */

/** What a refresh asks for. */
export interface Refresh {
  /** Seconds. */
  readonly delay: number;
  /** Where to, as it was written; empty if to the page itself. */
  readonly href: string;
}

const REFRESH =
  /^[\t\n\f\r ]*(?:(\d+)(?:\.[\d.]*)?|\.[\d.]*)(?:$|[\t\n\f\r ]+(?:[;,][\t\n\f\r ]*)?|[;,][\t\n\f\r ]*)/;
const PREFIX = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/**
 * Reads the content of the tag, or the value of the header.
 *
 * @returns `null` for what browsers ignore.
 */
export function parseRefresh(content: string): Refresh | null {
  const start = REFRESH.exec(content);
  if (start === null) return null;
  return {
    delay: Math.min(Number(start[1] ?? 0), Number.MAX_SAFE_INTEGER),
    href: targetIn(content.slice(start[0].length)),
  };
}

/** Behind `url=` a quote opens; one that is not closed goes to the end. */
function targetIn(rest: string): string {
  const prefix = PREFIX.exec(rest);
  // Letters of the prefix without the whole of it are the beginning of the URL.
  if (prefix === null && /^u/i.test(rest)) return rest;
  const href = rest.slice(prefix?.[0].length ?? 0);
  const quote = href[0];
  if (quote !== '"' && quote !== "'") return href;
  const end = href.indexOf(quote, 1);
  return href.slice(1, end < 0 ? undefined : end);
}
