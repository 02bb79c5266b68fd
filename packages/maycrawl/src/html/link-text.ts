// The text of the link that is open: `textContent` of its element with the `alt` of images in place of them, without scripts, styles and
// templates, and with white space collapsed. An end tag of an element around the link ends it, as it does in the tree of a browser.
import { VOID } from './foreign.ts';
import { decodeText } from './references.ts';
import { collapse, stripAndCollapse, truncateStripped } from './white-space.ts';

/** Maximum number of UTF-16 units of a text. */
const MAX_LINK_TEXT = 200;
/** White space can make the text in the document much longer than its result. It is collapsed when it has this length. */
const MAX_RAW = 2_000;
/** Maximum depth of elements inside a link. Without a bound an end tag could cost as much as the document. */
const MAX_DEPTH = 100;

/** Collects the text of one link at a time. */
export class LinkText {
  /** Whether text belongs to a link. */
  isOpen = false;
  #raw = '';
  /** Names of the elements that are open inside the link. */
  readonly #elements: string[] = [];

  /** Begins a link. */
  begin(): void {
    this.isOpen = true;
    this.#raw = '';
    if (this.#elements.length > 0) this.#elements.length = 0;
  }

  /** Ends the link. Returns its text. */
  end(): string {
    this.isOpen = false;
    return toLinkText(this.#raw);
  }

  /** Adds text of the document, in which character references are not resolved. */
  addText(text: string): void {
    if (this.#elements.length > 0 && (this.#elements.includes('style') || this.#elements.includes('script')))
      return;
    this.#add(decodeText(text));
  }

  addImage(alt: string): void {
    this.#add(` ${alt} `);
  }

  /** Takes a start tag inside the link. @returns whether the link goes on. */
  takeStartTag(name: string, isSelfClosing: boolean): boolean {
    if (VOID.has(name) || isSelfClosing) return true;
    this.#elements.push(name);
    return this.#elements.length <= MAX_DEPTH;
  }

  /**
   * Takes an end tag.
   *
   * @param isOpenOutside - whether an element of this name is open around the link.
   * @returns whether the link goes on.
   */
  takeEndTag(name: string, isOpenOutside: boolean): boolean {
    const at = this.#elements.lastIndexOf(name);
    if (at < 0) return name !== 'a' && !isOpenOutside;
    this.#elements.length = at;
    return true;
  }

  #add(text: string): void {
    if (this.#raw.length > MAX_RAW) {
      this.#raw = collapse(this.#raw);
      if (this.#raw.length > MAX_LINK_TEXT + 1) return;
    }
    this.#raw += text;
  }
}

/** Strips and collapses white space, and cuts a long text between two characters. */
export function toLinkText(text: string): string {
  return truncateStripped(stripAndCollapse(text), MAX_LINK_TEXT);
}
