// The parser of sitemaps, chunk by chunk: XML of sitemaps.org (a set of URLs, or an index of further sitemaps), RSS, Atom, or a text with
// one URL a line (Google's page on sitemaps). It is here and not in the client, because the tester page uses it, too.
import { truncate } from '../bytes/truncate.ts';
import { parseXmlAttributes } from './xml-attributes.ts';
import { XmlScanner } from './xml-scanner.ts';

/** A URL in a sitemap: of a page, or of a further sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap';
  /** As it was written, without the white space around it, at most {@link MAX_ENTRY_CHARS} characters of it. */
  readonly text: string;
}

/** Longer entries are cut. The protocol allows 2,048 characters. */
export const MAX_ENTRY_CHARS = 10_000;

/** Root elements of sitemaps, indexes and feeds (RSS 1.0 is RDF). */
const ROOTS: ReadonlySet<string> = new Set(['urlset', 'sitemapindex', 'rss', 'RDF', 'feed']);

/** Elements whose text is a URL, after their parents. */
const LOCATIONS: Readonly<Record<string, SitemapEntry['kind']>> = {
  'url loc': 'page',
  'sitemap loc': 'sitemap',
  'item link': 'page',
};

/** Parses one sitemap. */
export class SitemapParser {
  readonly #onEntry: (entry: SitemapEntry) => void;
  readonly #scanner: XmlScanner;
  readonly #open: string[] = [];
  #format: 'unknown' | 'xml' | 'text' = 'unknown';
  /** The beginning of a line of a text. */
  #line = '';
  /** What the element is that is being read, if its text is a URL, and the text. */
  #kind: SitemapEntry['kind'] | undefined;
  #text = '';
  /** The name of the root element, without its prefix; empty for a text, and as long as there is none. */
  root = '';

  /** @param onEntry - is called with each entry, in their order. */
  constructor(onEntry: (entry: SitemapEntry) => void) {
    this.#onEntry = onEntry;
    this.#scanner = new XmlScanner({
      onOpen: (name, attributes) => this.#openElement(getLocalName(name), attributes),
      onText: (text) => {
        if (this.#kind !== undefined && this.#text.length <= MAX_ENTRY_CHARS)
          this.#text += text.slice(0, MAX_ENTRY_CHARS + 1 - this.#text.length);
      },
      onClose: () => this.#closeElement(),
    });
  }

  /** Whether it is a sitemap, an index or a feed. `false` for XML with another root element. */
  get isSitemap(): boolean {
    return this.#format !== 'xml' || ROOTS.has(this.root);
  }

  /**
   * Parses the next piece.
   *
   * @throws {XmlError} if the XML is beyond the bounds of the scanner.
   */
  write(piece: string): void {
    let text = piece;
    if (this.#format === 'unknown') {
      // A byte order mark counts as white space here.
      text = piece.trimStart();
      if (text === '') return;
      this.#format = text.startsWith('<') ? 'xml' : 'text';
    }
    if (this.#format === 'xml') this.#scanner.write(text);
    else this.#writeLines(text);
  }

  /** Ends the sitemap. Returns whether it is complete: `false` if it ends inside an element. */
  end(): boolean {
    if (this.#format === 'text') this.#addEntry('page', this.#line);
    return this.#format !== 'xml' || this.#scanner.end();
  }

  #writeLines(text: string): void {
    const lines = (this.#line + text).split(/[\r\n]/);
    this.#line = (lines.pop() ?? '').trimStart().slice(0, MAX_ENTRY_CHARS + 1);
    for (const line of lines) this.#addEntry('page', line);
  }

  #addEntry(kind: SitemapEntry['kind'], written: string): void {
    const text = truncate(written.trim(), MAX_ENTRY_CHARS, '');
    if (text !== '') this.#onEntry({ kind, text });
  }

  #openElement(name: string, attributes: string): void {
    const parent = this.#open.at(-1);
    if (this.root === '') this.root = name;
    this.#open.push(name);
    this.#kind = LOCATIONS[`${parent} ${name}`];
    this.#text = '';
    if (name !== 'link' || parent !== 'entry') return;
    const values = parseXmlAttributes(attributes);
    if ((values.get('rel') ?? 'alternate') === 'alternate') this.#addEntry('page', values.get('href') ?? '');
  }

  #closeElement(): void {
    this.#open.pop();
    if (this.#kind !== undefined) this.#addEntry(this.#kind, this.#text);
    this.#kind = undefined;
  }
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
