/**
 * Collects from the tags of a document what they say to crawlers.
 *
 * @module
 */
import {
  type HtmlFacts,
  type HtmlLink,
  type HtmlReference,
  type RobotsStatement,
  readRobotsMeta,
} from '@maycrawl/core/indexability';
import type { Attributes } from './foreign.ts';

/** Names of tags and attributes are compared without the case of ASCII letters, and no others. */
export function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code >= 0x41 && code <= 0x5a) return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }
  return name;
}

/** A copy that does not keep the whole document in memory, as a part of a string does. */
export function detach(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The facts of one document. */
export class FactCollector {
  readonly #maxItems: number;
  #base: string | null = null;
  readonly #robots: RobotsStatement[] = [];
  readonly #refreshes: string[] = [];
  readonly #links: HtmlLink[] = [];
  readonly #references: HtmlReference[] = [];
  #isCut = false;

  /** @param maxItems - how many links and statements are kept. */
  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  /** All that was kept. */
  conclude(title: string | null): HtmlFacts {
    return {
      title,
      base: this.#base,
      robots: this.#robots,
      refreshes: this.#refreshes,
      links: this.#links,
      references: this.#references,
      isTruncated: this.#isCut,
    };
  }

  /**
   * Keeps what a start tag says.
   *
   * @param inHead - whether its element stands in the head; else it stands in the body.
   */
  keep(tag: string, attributes: Attributes, inHead: boolean): void {
    switch (tag) {
      case 'base':
        this.#base ??= attributes.get('href') ?? null;
        break;
      case 'meta':
        this.#keepMeta(attributes.get('name'), attributes.get('http-equiv'), attributes.get('content'));
        break;
      case 'link':
        this.#keepLink(attributes, inHead);
        break;
      case 'a':
      case 'area':
        this.#keepReference(tag, attributes.get('href'), attributes.get('rel'));
        break;
      case 'iframe':
      case 'frame':
        this.#keepReference(tag, attributes.get('src'), attributes.get('rel'));
        break;
    }
  }

  #keepMeta(name: string | undefined, pragma: string | undefined, content: string | undefined): void {
    if (content === undefined) return;
    if (pragma !== undefined && lowerCase(pragma) === 'refresh' && this.#isBelowLimit())
      this.#refreshes.push(detach(content));
    const statement = name === undefined ? null : readRobotsMeta(name, detach(content));
    if (statement !== null && this.#isBelowLimit()) this.#robots.push(statement);
  }

  #keepLink(attributes: Attributes, inHead: boolean): void {
    const [rel, href] = [attributes.get('rel'), attributes.get('href')];
    if (rel === undefined || href === undefined || !this.#isBelowLimit()) return;
    const get = (name: string): string | null => {
      const value = attributes.get(name);
      return value === undefined ? null : detach(value);
    };
    this.#links.push({
      rel: detach(rel),
      href: detach(href),
      hreflang: get('hreflang'),
      lang: get('lang'),
      media: get('media'),
      type: get('type'),
      inHead,
    });
  }

  #keepReference(element: HtmlReference['element'], href: string | undefined, rel = ''): void {
    if (href !== undefined && this.#isBelowLimit()) this.#references.push({ element, href, rel });
  }

  #isBelowLimit(): boolean {
    const kept = this.#robots.length + this.#refreshes.length + this.#links.length + this.#references.length;
    if (kept < this.#maxItems) return true;
    this.#isCut = true;
    return false;
  }
}
