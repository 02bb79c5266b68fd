/**
 * Reading a sitemap as it comes: XML of sitemaps.org (a set of URLs, or an index of further sitemaps), RSS 2.0, Atom, or a text with
 * one URL a line (Google's page on sitemaps).
 *
 * @module
 */
import { Parser } from 'htmlparser2';

/** What a sitemap names: pages, or further sitemaps. */
export interface Entry {
  readonly kind: 'page' | 'sitemap';
  /** As it was written, without the white space around it. */
  readonly text: string;
}

/** Characters. Longer entries are cut; none so long is a URL that anybody may name in a sitemap (2,048 characters). */
export const MAX_ENTRY_CHARS = 10_000;

/** Elements in one another, more than any sitemap has. */
const MAX_OPEN = 100;

/** Elements whose text is a URL, by what they are in. */
const LOCATIONS: Readonly<Record<string, Entry['kind']>> = {
  'url loc': 'page',
  'sitemap loc': 'sitemap',
  'item link': 'page',
};

/** Takes the text of a sitemap piece by piece, and hands on its entries. */
export class SitemapText {
  readonly #onEntry: (entry: Entry) => void;
  #format: 'unknown' | 'xml' | 'text' = 'unknown';
  #line = '';
  readonly #parser: Parser;
  readonly #open: string[] = [];
  #text = '';
  #isEnding = false;
  /** Whether it has ended in the midst of an element. */
  isBroken = false;
  #kind: Entry['kind'] | undefined;
  /** The name of the first element, without its prefix; an empty text before there is one. */
  root = '';

  constructor(onEntry: (entry: Entry) => void) {
    this.#onEntry = onEntry;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#onOpen(localName(name), attributes),
        ontext: (text) => {
          if (this.#kind !== undefined && this.#text.length < MAX_ENTRY_CHARS)
            this.#text += text.slice(0, MAX_ENTRY_CHARS);
        },
        onclosetag: () => this.#onClose(),
      },
      { xmlMode: true, recognizeCDATA: true },
    );
  }

  write(text: string): void {
    if (this.#format === 'unknown') {
      // The mark at the beginning of a file counts as white space here.
      const start = text.trimStart();
      if (start === '') return;
      this.#format = start.startsWith('<') ? 'xml' : 'text';
      this.#take(start);
    } else this.#take(text);
  }

  end(): void {
    if (this.#format === 'text') this.#endLine(this.#line);
    this.#isEnding = true;
    this.#parser.end();
  }

  #take(text: string): void {
    if (this.#format === 'xml') {
      this.#parser.write(text);
      return;
    }
    const lines = (this.#line + text).split(/[\r\n]/);
    this.#line = (lines.pop() ?? '').slice(0, MAX_ENTRY_CHARS);
    for (const line of lines) this.#endLine(line);
  }

  #endLine(line: string): void {
    const text = line.trim();
    if (text !== '') this.#onEntry({ kind: 'page', text: text.slice(0, MAX_ENTRY_CHARS) });
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.#open.at(-1);
    // The parser would take longer for each.
    if (this.#open.length >= MAX_OPEN) throw new Error(`more than ${MAX_OPEN} elements in one another`);
    this.#open.push(name);
    if (this.root === '') this.root = name;
    this.#kind = LOCATIONS[`${parent} ${name}`];
    this.#text = '';
    const { href, rel = 'alternate' } = attributes;
    if (name === 'link' && parent === 'entry' && href !== undefined && rel === 'alternate')
      this.#onEntry({ kind: 'page', text: href.trim().slice(0, MAX_ENTRY_CHARS) });
  }

  #onClose(): void {
    const text = this.#text.trim();
    // What is open at the end is closed by the parser; it may be half a URL.
    if (this.#isEnding) this.isBroken = true;
    else if (this.#kind !== undefined && text !== '') this.#onEntry({ kind: this.#kind, text });
    this.#kind = undefined;
    this.#open.pop();
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
