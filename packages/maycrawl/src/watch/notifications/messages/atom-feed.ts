// The format of an Atom feed (RFC 4287): as much of it as this package writes.
import { parseXmlAttributes, XmlError, XmlScanner } from '@maycrawl/core/internal';
import { formatXml, type XmlElement } from '../../../reports/xml.ts';

export interface FeedEntry {
  readonly id: string;
  readonly title: string;
  /** Date and time (RFC 3339). */
  readonly updated: string;
  readonly category?: string;
  readonly link?: string;
  readonly content: string;
}

export interface Feed {
  readonly id: string;
  readonly entries: readonly FeedEntry[];
}

export function formatFeed({ id, entries }: Feed): string {
  return formatXml({
    name: 'feed',
    attributes: { xmlns: 'http://www.w3.org/2005/Atom' },
    content: [
      { name: 'id', content: id },
      { name: 'title', content: 'maycrawl: changes of robots.txt' },
      { name: 'updated', content: entries[0]?.updated ?? new Date(0).toISOString() },
      { name: 'author', content: [{ name: 'name', content: 'maycrawl' }] },
      { name: 'generator', content: 'maycrawl' },
      ...entries.map(toElement),
    ],
  });
}

function toElement({ id, title, updated, category, link, content }: FeedEntry): XmlElement {
  return {
    name: 'entry',
    content: [
      { name: 'id', content: id },
      { name: 'title', content: title },
      { name: 'updated', content: updated },
      ...(category === undefined ? [] : [{ name: 'category', attributes: { term: category } }]),
      ...(link === undefined ? [] : [{ name: 'link', attributes: { rel: 'alternate', href: link } }]),
      { name: 'content', attributes: { type: 'text' }, content },
    ],
  };
}

/**
 * Parses a feed that {@link formatFeed} wrote. Elements that were added to it are omitted.
 *
 * @returns `undefined` for anything else.
 */
export function parseFeed(xml: string): Feed | undefined {
  const parser = new FeedParser();
  const scanner = new XmlScanner(parser);
  try {
    scanner.write(xml);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
  return scanner.end() ? parser.finish() : undefined;
}

class FeedParser {
  readonly #open: string[] = [];
  /** Of the feed, and of the entry that is open: the text of each element, and the attributes of those that have none. */
  readonly #feed: Map<string, string> = new Map();
  #entry: Map<string, string> = new Map();
  readonly #entries: FeedEntry[] = [];
  #text = '';
  #isValid = true;

  onOpen(name: string, attributes: string): void {
    this.#open.push(name);
    this.#text = '';
    const values = parseXmlAttributes(attributes);
    if (this.#path === 'feed/entry') this.#entry = new Map();
    if (this.#open.length === 1 && (name !== 'feed' || this.#feed.has('feed'))) this.#isValid = false;
    if (this.#path === 'feed') this.#feed.set('feed', '');
    for (const [element, attribute] of [
      ['category', 'term'],
      ['link', 'href'],
      ['content', 'type'],
    ] as const) {
      const value = values.get(attribute);
      if (this.#path === `feed/entry/${element}` && value !== undefined)
        this.#entry.set(`${element}@${attribute}`, value);
    }
  }

  onText(text: string): void {
    if (this.#open.length === 0 && text.trim() !== '') this.#isValid = false;
    this.#text += text;
  }

  onClose(name: string): void {
    if (this.#path === `feed/${name}`) this.#feed.set(name, this.#text.trim());
    if (this.#path === `feed/entry/${name}`) this.#entry.set(name, this.#text.trim());
    if (this.#path === 'feed/entry') this.#addEntry();
    this.#open.pop();
    this.#text = '';
  }

  finish(): Feed | undefined {
    const id = this.#feed.get('id');
    return this.#isValid && id !== undefined ? { id, entries: this.#entries } : undefined;
  }

  get #path(): string {
    return this.#open.join('/');
  }

  #addEntry(): void {
    const get = (name: string): string | undefined => this.#entry.get(name);
    const [id, title, updated, content] = [get('id'), get('title'), get('updated'), get('content')];
    if (id === undefined || title === undefined || updated === undefined || content === undefined) {
      this.#isValid = false;
      return;
    }
    if (get('content@type') === undefined) this.#isValid = false;
    const [category, link] = [get('category@term'), get('link@href')];
    this.#entries.push({
      ...{ id, title, updated, content },
      ...(category !== undefined && { category }),
      ...(link !== undefined && { link }),
    });
  }
}
