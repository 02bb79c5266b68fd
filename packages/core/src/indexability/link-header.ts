/**
 * The Link header (RFC 8288 section 3, read as its appendix B.2 does).
 *
 * @module
 */

/** One link of a header. */
export interface HeaderLink {
  /** Between `<` and `>`, as it was written; relative to the URL of the page. */
  readonly target: string;
  /** The words of the first `rel`, in small letters. */
  readonly rel: readonly string[];
  /** What the link is from, if that is not the page; `null` if it is not said. */
  readonly anchor: string | null;
  /** The first of them. */
  readonly hreflang: string | null;
}

/** How many links of one header are read. */
const MAX_LINKS = 1000;

/** Reads the value of one Link header; ends where it does not follow the syntax. */
export function parseLinkHeader(value: string): HeaderLink[] {
  const links: HeaderLink[] = [];
  const reader = new Reader(value);
  while (links.length < MAX_LINKS) {
    reader.skip(/[\t ,]*/y);
    const target = reader.take(/<([^>]*)>/y);
    if (target === null) break;
    const parameters = readParameters(reader);
    links.push({
      target,
      rel: wordsOf(parameters.get('rel') ?? ''),
      anchor: parameters.get('anchor') ?? null,
      hreflang: parameters.get('hreflang') ?? null,
    });
  }
  return links;
}

/** The words of a `rel`, in small letters: they are ASCII, and compared without case. */
export function wordsOf(rel: string): string[] {
  return rel
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter((word) => word !== '');
}

/** Reads parameters up to the comma that ends the link. Of several with the same name the first counts. */
function readParameters(reader: Reader): Map<string, string> {
  const parameters = new Map<string, string>();
  for (;;) {
    // What is neither a parameter nor the end of the link is passed over.
    reader.skip(/[^;,]*/y);
    if (reader.take(/(;)/y) === null) return parameters;
    reader.skip(/[\t ]*/y);
    const name = reader.take(/([^\t =;,]*)/y)?.toLowerCase() ?? '';
    reader.skip(/[\t ]*/y);
    const value = reader.take(/(=)/y) === null ? '' : readValue(reader);
    if (name !== '' && !parameters.has(name)) parameters.set(name, value);
  }
}

function readValue(reader: Reader): string {
  reader.skip(/[\t ]*/y);
  const quoted = reader.take(/"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"|\\?$)/y);
  if (quoted !== null) return quoted.replace(/\\([\s\S])/g, '$1');
  return reader.take(/([^;,]*)/y)?.trimEnd() ?? '';
}

/** A text, and how far it has been read. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** What the first group of a sticky expression matches here; `null`, and nothing is read, if it does not match. */
  take(expression: RegExp): string | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match === null) return null;
    this.#at = expression.lastIndex;
    return match[1] ?? '';
  }

  skip(expression: RegExp): void {
    this.take(expression);
  }
}
