/**
 * Reads an HTML document in one pass, without building a tree: htmlparser2's tokenizer separates tags from text, a
 * {@link TreePosition} knows where they stand (docs/audit.md).
 *
 * @module
 */
import type { HtmlFacts } from '@maycrawl/core/indexability';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { detach, FactCollector, lowerCase } from './fact-collector.ts';
import { findTextEnd, isTextElement } from './raw-text.ts';
import { decodeAttribute, decodeText } from './references.ts';
import { TreePosition } from './tree-position.ts';

/** Elements whose attributes matter; `annotation-xml` and `font` say whether a drawing goes on. */
const READ: ReadonlySet<string> = new Set(
  'a annotation-xml area base font frame iframe link meta'.split(' '),
);
/** Further elements of a head whose text is not the page's. */
const WITH_TEXT: ReadonlySet<string> = new Set(['style', 'title']);

const CDATA = '<![CDATA[';
/** To the tokenizer a CDATA section is one everywhere. In HTML it is a comment to the next `>`, as this is. */
const COMMENT = '<!?CDATA[';

/**
 * Reads a document.
 *
 * @param maxItems - how many links and statements are kept.
 */
export function readHtml(html: string, maxItems: number): HtmlFacts {
  return new HtmlReader(html, maxItems).read();
}

class HtmlReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #tokenizer: Tokenizer = new Tokenizer({ decodeEntities: false }, this);
  readonly #position: TreePosition = new TreePosition();
  /** What the tokenizer calls position 0. */
  #offset = 0;
  /** Where to go on, if something is passed over that the tokenizer must not read. */
  #resumeAt: number | null = null;

  #tag = '';
  #isRead = false;
  readonly #attributes: Map<string, string> = new Map();
  #attribute = '';
  #value = '';
  /** The element whose text is read, if that is not the page's text. */
  #textOf: string | null = null;
  #isInTitle = false;

  #title: string | null = null;
  readonly #facts: FactCollector;

  constructor(html: string, maxItems: number) {
    // The standard has the newlines made equal before anything else.
    this.#html = html.includes('\r') ? html.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : html;
    this.#facts = new FactCollector(maxItems);
  }

  read(): HtmlFacts {
    const html = this.#html;
    for (let at = 0, cdata = -1; at < html.length; ) {
      if (cdata < at) cdata = indexOrEnd(html, CDATA, at);
      const end = cdata === at ? at + CDATA.length : cdata;
      const isComment = cdata === at && !this.#position.hasCdata;
      this.#tokenizer.write(isComment ? COMMENT : html.slice(at, end));
      at = this.#resumeAt ?? end;
      if (this.#resumeAt !== null) this.#restartAt(at);
    }
    this.#tokenizer.end();
    const title = this.#title === null ? null : detach(collapse(decodeText(this.#title)));
    return this.#facts.conclude(title);
  }

  #restartAt(at: number): void {
    this.#tokenizer.reset();
    this.#offset = at;
    this.#resumeAt = null;
  }

  #slice(start: number, end: number): string {
    const text = this.#html.slice(start + this.#offset, end + this.#offset);
    return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  }

  isInForeignContext(): boolean {
    return !this.#position.canContainText;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = lowerCase(this.#slice(start, end));
    this.#isRead = READ.has(this.#tag);
    if (this.#attributes.size > 0) this.#attributes.clear();
  }

  onattribname(start: number, end: number): void {
    if (!this.#isRead) return;
    this.#attribute = lowerCase(this.#slice(start, end));
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#isRead) this.#value += this.#slice(start, end);
  }

  onattribend(): void {
    if (this.#isRead && !this.#attributes.has(this.#attribute))
      this.#attributes.set(this.#attribute, decodeAttribute(this.#value));
  }

  onopentagend(end: number): void {
    this.#open(end, false);
  }

  onselfclosingtag(end: number): void {
    // The tokenizer lets white space stand between the two characters; the standard does not.
    this.#open(end, this.#html[end + this.#offset - 1] === '/');
  }

  #open(end: number, isSelfClosing: boolean): void {
    const tag = this.#tag;
    const place = this.#position.takeStartTag(tag, isSelfClosing, this.#attributes);
    if (place === 'none') return;
    if (isTextElement(tag)) {
      this.#resumeAt = findTextEnd(tag, this.#html, end + 1 + this.#offset);
      this.#tokenizer.pause();
    } else if (WITH_TEXT.has(tag)) {
      this.#textOf = tag;
      this.#isInTitle = tag === 'title' && place !== 'inert' && this.#title === null;
      if (this.#isInTitle) this.#title = '';
    } else if (this.#isRead && place !== 'inert') this.#facts.keep(tag, this.#attributes, place === 'head');
  }

  onclosetag(start: number, end: number): void {
    const tag = lowerCase(this.#slice(start, end));
    if (tag === this.#textOf) {
      this.#textOf = null;
      this.#isInTitle = false;
    }
    this.#position.takeEndTag(tag);
  }

  ontext(start: number, end: number): void {
    if (this.#isInTitle) this.#title += this.#slice(start, end);
    else if (this.#textOf === null && this.#position.isTextDecisive) {
      const text = decodeText(this.#slice(start, end));
      if (/[^\t\n\f\r ]/.test(text)) this.#position.takeText();
    }
  }

  // Resolving references is left to those who need them.
  onattribentity(): void {}
  ontextentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}

/** As `document.title` has it. */
function collapse(text: string): string {
  return text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '');
}
