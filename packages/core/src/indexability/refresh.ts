// Declarative refresh: `<meta http-equiv="refresh">` and the Refresh header (HTML Standard, section 4.2.5.3, "shared
// declarative refresh steps").

interface Refresh {
  /** In seconds. */
  readonly delay: number;
  /** The target as written; empty for the page itself. */
  readonly href: string;
}

const REFRESH =
  /^[\t\n\f\r ]*(?:(\d+)(?:\.[\d.]*)?|\.[\d.]*)(?:$|[\t\n\f\r ]+(?:[;,][\t\n\f\r ]*)?|[;,][\t\n\f\r ]*)/;
const PREFIX = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/**
 * Parses the content of the meta tag, or the value of the header.
 *
 * @returns `null` if browsers ignore it.
 */
export function parseRefresh(content: string): Refresh | null {
  const start = REFRESH.exec(content);
  if (start === null) return null;
  return {
    delay: Math.min(Number(start[1] ?? 0), Number.MAX_SAFE_INTEGER),
    href: getTarget(content.slice(start[0].length)),
  };
}

/** Returns the target. A quoted target ends at the closing quote, or at the end of the text. */
function getTarget(rest: string): string {
  const prefix = PREFIX.exec(rest);
  // An incomplete prefix is the beginning of the URL.
  if (prefix === null && /^u/i.test(rest)) return rest;
  const href = rest.slice(prefix?.[0].length ?? 0);
  const quote = href[0];
  if (quote !== '"' && quote !== "'") return href;
  const end = href.indexOf(quote, 1);
  return href.slice(1, end < 0 ? undefined : end);
}
