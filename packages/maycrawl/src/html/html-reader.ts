// Reads an HTML document in one pass, without building a tree: a {@link TagScanner} reads the tags, a {@link TreePosition} knows where
// they stand (docs/audit.md). What is between the tags is passed over, unless it is the title, belongs to a link or can end the head.
import type { HtmlFacts } from '@maycrawl/core/indexability';
import { FactCollector, isRslScript, type OpenReference } from './fact-collector.ts';
import { LinkText } from './link-text.ts';
import { findTextEnd, isTextElement } from './raw-text.ts';
import { decodeText } from './references.ts';
import { isLetter, TagScanner } from './tag-scanner.ts';
import { TreePosition } from './tree-position.ts';
import { stripAndCollapse, truncateStripped } from './white-space.ts';

/** Elements of a drawing with these names have markup. Scripts and the like are text wherever they are HTML. */
const TEXT_OUTSIDE_DRAWINGS: ReadonlySet<string> = new Set(
  'iframe noembed plaintext style textarea title xmp'.split(' '),
);

const CDATA = '[CDATA[';
/** Characters of a title, which a run stores with the page and with findings about it. */
const MAX_TITLE = 2_000;
const [EXCLAMATION_MARK, SLASH, QUESTION_MARK] = [0x21, 0x2f, 0x3f] as const;

/**
 * Reads a document. The strings of the result are parts of it, and keep it in memory.
 *
 * @param maxItems - how many links and statements are kept.
 */
export function readHtml(html: string, maxItems: number): HtmlFacts {
  return new HtmlReader(html, maxItems).read();
}

class HtmlReader {
  readonly #html: string;
  readonly #tag: TagScanner;
  readonly #position: TreePosition = new TreePosition();
  readonly #facts: FactCollector;
  readonly #text: LinkText = new LinkText();
  /** The link whose text is collected. */
  #link: OpenReference | null = null;
  #title: string | null = null;

  constructor(html: string, maxItems: number) {
    // The standard has the newlines made equal before anything else.
    this.#html = html.includes('\r') ? html.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : html;
    this.#tag = new TagScanner(this.#html);
    this.#facts = new FactCollector(maxItems);
  }

  read(): HtmlFacts {
    const html = this.#html;
    for (let at = 0; at < html.length; ) {
      const start = indexOrEnd(html, '<', at);
      this.#takeText(at, start);
      if (start === html.length) break;
      at = this.#readMarkup(start);
    }
    this.#endLink();
    const title =
      this.#title === null ? null : truncateStripped(stripAndCollapse(decodeText(this.#title)), MAX_TITLE);
    return this.#facts.conclude(title);
  }

  /** Reads what a `<` begins. @returns the position after it. */
  #readMarkup(at: number): number {
    const html = this.#html;
    const first = html.charCodeAt(at + 1);
    if (isLetter(first)) return this.#readStartTag(at + 1);
    switch (first) {
      case SLASH:
        if (isLetter(html.charCodeAt(at + 2))) return this.#readEndTag(at + 2);
        if (at + 2 < html.length) return this.#skip('>', at + 2);
        break;
      case EXCLAMATION_MARK:
        if (html.startsWith('--', at + 2)) return findCommentEnd(html, at + 4);
        if (html.startsWith(CDATA, at + 2) && this.#position.hasCdata)
          return this.#skip(']]>', at + 2 + CDATA.length);
        return this.#skip('>', at + 2);
      case QUESTION_MARK:
        return this.#skip('>', at + 2);
    }
    // It is a character of the text.
    this.#takeText(at, at + 1);
    return at + 1;
  }

  #skip(end: string, from: number): number {
    const at = this.#html.indexOf(end, from);
    return at < 0 ? this.#html.length : at + end.length;
  }

  #readStartTag(at: number): number {
    const tag = this.#tag;
    const end = tag.read(at, 'start');
    if (end < 0) return this.#html.length;
    const { name } = tag;
    const isOutsideDrawing = this.#position.canContainText;
    const place = this.#position.takeStartTag(name, tag.isSelfClosing, tag.attributes);
    if (place !== 'none' && place !== 'inert') this.#takeElement(name, place === 'head');
    else if (this.#text.isOpen && !this.#text.takeStartTag(name, place === 'none' && tag.isSelfClosing))
      this.#endLink();
    const isText =
      isTextElement(name) && (TEXT_OUTSIDE_DRAWINGS.has(name) ? isOutsideDrawing : place !== 'none');
    const textEnd = isText ? findTextEnd(name, this.#html, end) : end;
    if (name === 'title' && place !== 'none' && place !== 'inert') this.#title ??= this.#slice(end, textEnd);
    // In the body it belongs to the element that contains it, not to the page.
    if (name === 'script' && place === 'head' && isRslScript(tag.attributes))
      this.#facts.keepRsl(this.#slice(end, textEnd));
    return textEnd;
  }

  #readEndTag(at: number): number {
    const end = this.#tag.read(at, 'end');
    if (end < 0) return this.#html.length;
    const { name } = this.#tag;
    if (this.#text.isOpen && !this.#text.takeEndTag(name, this.#position.isOpen(name))) this.#endLink();
    this.#position.takeEndTag(name);
    return end;
  }

  /** Takes an element of the document. */
  #takeElement(name: string, inHead: boolean): void {
    const { attributes } = this.#tag;
    if (this.#text.isOpen) {
      // A link in a link ends the outer one.
      if (name === 'a' || !this.#text.takeStartTag(name, false)) this.#endLink();
      else if (name === 'img' || name === 'image') this.#text.addImage(attributes.get('alt') ?? '');
    }
    const link = this.#facts.keep(name, attributes, inHead);
    if (link === null) return;
    this.#link = link;
    this.#text.begin();
  }

  #endLink(): void {
    if (this.#link === null) return;
    this.#link.text = this.#text.end();
    this.#link = null;
  }

  #takeText(start: number, end: number): void {
    if (end === start) return;
    if (this.#text.isOpen && !this.#position.isInTemplate) this.#text.addText(this.#slice(start, end));
    if (!this.#position.isTextDecisive) return;
    if (/[^\t\n\f\r ]/.test(decodeText(this.#slice(start, end)))) this.#position.takeText();
  }

  #slice(start: number, end: number): string {
    const text = this.#html.slice(start, end);
    return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  }
}

/** Returns the position after a comment whose text begins at `start`. */
function findCommentEnd(html: string, start: number): number {
  if (html.startsWith('>', start)) return start + 1;
  if (html.startsWith('->', start)) return start + 2;
  COMMENT_END.lastIndex = start;
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length;
}

const COMMENT_END = /--!?>/g;

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}
