// The Link header (RFC 8288 section 3, parsed by the algorithm of its appendix B.2).

export interface HeaderLink {
  /** The target as written between `<` and `>`, relative to the URL of the page. */
  readonly target: string;
  /** The relation types of the first `rel`, in lower case. */
  readonly rel: readonly string[];
  /** The context of the link if it is not the page (the first `anchor`); otherwise `null`. */
  readonly anchor: string | null;
  /** The first `hreflang`; `null` if there is none. */
  readonly hreflang: string | null;
}

const MAX_LINKS = 1000;

/** Parses the value of one Link header. Stops at the first syntax error, and after 1,000 links. */
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
      rel: splitRelationTypes(parameters.get('rel') ?? ''),
      anchor: parameters.get('anchor') ?? null,
      hreflang: parameters.get('hreflang') ?? null,
    });
  }
  return links;
}

/**
 * Splits the value of a `rel` attribute or parameter into relation types, in lower case (they are compared
 * case-insensitively).
 */
export function splitRelationTypes(rel: string): string[] {
  return rel
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter((type) => type !== '');
}

/** Reads the parameters up to the comma that ends the link. The first of several with one name counts. */
function readParameters(reader: Reader): Map<string, string> {
  const parameters = new Map<string, string>();
  for (;;) {
    // Skip text that is neither a parameter nor the end of the link.
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

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Consumes a match at the current position.
   *
   * @returns the first group, or `null` if `expression` does not match.
   */
  take(expression: RegExp): string | null {
    expression.lastIndex = this.#position;
    const match = expression.exec(this.#text);
    if (match === null) return null;
    this.#position = expression.lastIndex;
    return match[1] ?? '';
  }

  skip(expression: RegExp): void {
    this.take(expression);
  }
}
