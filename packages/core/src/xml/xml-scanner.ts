// A streaming scanner of XML: elements, text and CDATA sections, piece by piece. It builds no document, resolves no entity but the
// five of XML and numbers (no declared one, so none that expands), and loads nothing, so that browsers can use it.
//
// Time is linear in the input, and memory is bounded, whatever the input is. It reads what is not well-formed as far as possible, and
// reports it as a problem: end tags close all that is open inside their element, and those of no open element are ignored; `<` ends a tag
// without `>`, so that the next element is not a part of it.
import { checkOptions } from '../bytes/check-options.ts';
import { createXmlProblem, type XmlHandler, type XmlProblemCode } from './xml-handler.ts';
import { resolveXmlReferences } from './xml-references.ts';

/** The input is beyond the bounds of the scanner. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Options of {@link XmlScanner}. */
export interface XmlScannerOptions {
  /** Maximum number of characters of one tag. @defaultValue 32,768 */
  readonly maxTagChars?: number;
}

/** Elements in one another. */
const MAX_DEPTH = 100;
const MAX_TAG_CHARS = 32_768;
/** Characters of a reference that two pieces can contain: `&#x10ffff;` has ten. */
const MAX_REFERENCE_CHARS = 12;

/** What begins with `<` and is no tag, by its beginning; the longest first. */
const SECTIONS = [
  { start: '<![CDATA[', end: ']]>' },
  { start: '<!--', end: '-->' },
  { start: '<?', end: '?>' },
] as const;
interface Section {
  readonly start: string;
  readonly end: string;
}
/** Sections that can be in a declaration, besides text in quotes. */
const SUBSET_SECTIONS: readonly Section[] = SECTIONS.slice(1);
/** A declaration, such as that of the document type. Its internal subset is in brackets. */
const DECLARATION = '<!';
const DECLARATION_MARK = /["'[\]<>]/g;
/** The first character of a name, or the slash of an end tag. */
const TAG_START = /[A-Za-z_:/\x80-\uffff]/;

/** Scans one document. */
export class XmlScanner {
  readonly #handler: XmlHandler;
  readonly #maxTagChars: number;
  readonly #open: string[] = [];
  /** What was written and not read: the beginning of something whose end is missing. */
  #rest = '';
  /** Where that begins in the input of the current call. */
  #restAt = 0;
  /** The offset of the input of the current call in the document, and of what is being read. */
  #base = 0;
  #at = 0;
  #section: Section | undefined;
  #declaration: 'none' | 'open' | 'in-subset' = 'none';
  /** How far the tag in `#rest` was searched for its end, and the quote in which the search is, or the `=` before one. */
  #searched = 1;
  #mark = '';
  readonly #reportReference = (reference: string): void => this.#report('unresolved-reference', reference);

  constructor(handler: XmlHandler, options: XmlScannerOptions = {}) {
    checkOptions<XmlScannerOptions>('XmlScanner', options, { maxTagChars: 'number' });
    const { maxTagChars = MAX_TAG_CHARS } = options;
    this.#handler = handler;
    this.#maxTagChars = maxTagChars;
  }

  /**
   * Scans the next piece.
   *
   * @throws {XmlError} if elements are nested too deep, or a tag is too long.
   */
  write(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    for (let next = this.#step(text, at); next !== undefined; next = this.#step(text, at)) at = next;
    this.#rest = text.slice(this.#restAt);
    this.#base += this.#restAt;
  }

  /** Ends the document. Returns whether it is complete: `false` if it ends inside an element, tag, section or declaration. */
  end(): boolean {
    this.#at = this.#base;
    const isText = this.#section === undefined && this.#declaration === 'none' && !this.#rest.startsWith('<');
    if (isText) this.#takeText(this.#rest);
    else
      this.#report(
        'unexpected-end',
        this.#declaration === 'none' ? (this.#section?.start ?? this.#rest) : DECLARATION,
      );
    for (const name of this.#open.toReversed()) this.#report('missing-end-tag', name);
    return isText && this.#open.length === 0;
  }

  #report(code: XmlProblemCode, text: string): void {
    this.#handler.onProblem?.(createXmlProblem(code, text), this.#at);
  }

  /** Reads one thing from `at` on. Returns where the next begins; `undefined` if more input is needed, from `#restAt` on. */
  #step(text: string, at: number): number | undefined {
    if (this.#section !== undefined) return this.#readSection(text, at, this.#section);
    if (this.#declaration !== 'none') return this.#readDeclaration(text, at);
    this.#at = this.#base + at;
    if (text[at] === '<') return this.#readMarkup(text, at);
    const tag = text.indexOf('<', at);
    const end = tag < 0 ? findTextEnd(text, at) : tag;
    this.#takeText(text.slice(at, end));
    this.#restAt = end;
    return tag < 0 ? undefined : tag;
  }

  #readSection(text: string, at: number, { start, end }: Section): number | undefined {
    const found = text.indexOf(end, at);
    // A part of the end can be there.
    const until = found < 0 ? Math.max(at, text.length - end.length + 1) : found;
    if (start === '<![CDATA[' && until > at) this.#handler.onText(text.slice(at, until));
    this.#restAt = until;
    if (found < 0) return undefined;
    this.#section = undefined;
    return found + end.length;
  }

  /** Skips a declaration. Comments, instructions and quotes in it can contain all that would end it. */
  #readDeclaration(text: string, at: number): number | undefined {
    DECLARATION_MARK.lastIndex = at;
    const found = DECLARATION_MARK.exec(text)?.index ?? text.length;
    this.#restAt = found;
    const mark = text[found];
    if (mark === undefined) return undefined;
    const isInSubset = this.#declaration === 'in-subset';
    if (mark === '"' || mark === "'") this.#section = { start: mark, end: mark };
    else if (mark === '<') {
      if (isInSubset) return this.#readSubsetMarkup(text, found);
      // Its end is missing.
      this.#at = this.#base + found;
      this.#report('invalid-markup', DECLARATION);
      this.#declaration = 'none';
      return found;
    } else if (mark !== '>') this.#declaration = mark === '[' ? 'in-subset' : 'open';
    else if (!isInSubset) this.#declaration = 'none';
    return found + 1;
  }

  /** Reads the beginning of a comment or an instruction. All else is skipped as far as its next mark. */
  #readSubsetMarkup(text: string, at: number): number | undefined {
    const content = this.#beginSection(text, at, SUBSET_SECTIONS);
    if (content !== undefined) return content;
    const beginning = text.slice(at);
    return SUBSET_SECTIONS.some(({ start }) => start.startsWith(beginning)) ? undefined : at + 1;
  }

  /** Begins a section. Returns where its content begins; `undefined` if none begins, or more input is needed. */
  #beginSection(text: string, at: number, sections: readonly Section[]): number | undefined {
    this.#section = sections.find(({ start }) => text.startsWith(start, at));
    return this.#section && at + this.#section.start.length;
  }

  #readMarkup(text: string, at: number): number | undefined {
    this.#restAt = at;
    if (TAG_START.test(text.charAt(at + 1))) return this.#readTag(text, at);
    const content = this.#beginSection(text, at, SECTIONS);
    if (content !== undefined) return content;
    const beginning = text.slice(at, at + SECTIONS[0].start.length);
    // Also true for a single `<`.
    if (text.length === at + beginning.length && SECTIONS.some(({ start }) => start.startsWith(beginning)))
      return undefined;
    if (beginning.startsWith(DECLARATION)) {
      this.#declaration = 'open';
      return at + DECLARATION.length;
    }
    this.#report('invalid-markup', beginning);
    this.#handler.onText('<');
    return at + 1;
  }

  #readTag(text: string, at: number): number | undefined {
    const end = this.#findTagEnd(text, at);
    if ((end ?? text.length) - at > this.#maxTagChars)
      throw new XmlError(`a tag of more than ${this.#maxTagChars} characters`);
    if (end === undefined) return undefined;
    this.#searched = 1;
    this.#mark = '';
    if (text[end] === '<') this.#report('invalid-markup', text.slice(at, end));
    if (text[at + 1] === '/') this.#close(readName(text, at + 2, end));
    else this.#openElement(text, at + 1, end);
    return text[end] === '<' ? end : end + 1;
  }

  /** Finds the `>` that ends a tag, or the `<` after a tag without it. In a quoted value they are characters like any other. */
  #findTagEnd(text: string, at: number): number | undefined {
    let mark = this.#mark;
    for (let place = at + this.#searched; place < text.length; place++) {
      const char = text[place] as string;
      if (mark === '"' || mark === "'") {
        if (char === mark) mark = '';
      } else if (char === '>' || char === '<') return place;
      else if (char === '=') mark = '=';
      else if (mark === '=' && (char === '"' || char === "'")) mark = char;
      else if (!isSpace(char)) mark = '';
    }
    this.#searched = text.length - at;
    this.#mark = mark;
    return undefined;
  }

  #openElement(text: string, start: number, end: number): void {
    const name = readName(text, start, end);
    const isEmpty = text[end - 1] === '/';
    if (this.#open.length >= MAX_DEPTH) throw new XmlError(`more than ${MAX_DEPTH} elements in one another`);
    this.#handler.onOpen(name, text.slice(start + name.length, isEmpty ? end - 1 : end), this.#at);
    if (isEmpty) this.#handler.onClose(name);
    else this.#open.push(name);
  }

  #close(name: string): void {
    const index = this.#open.lastIndexOf(name);
    if (index < 0) this.#report('unexpected-end-tag', name);
    while (index >= 0 && this.#open.length > index) {
      const closed = this.#open.pop() as string;
      if (this.#open.length > index) this.#report('missing-end-tag', closed);
      this.#handler.onClose(closed);
    }
  }

  #takeText(text: string): void {
    if (text === '') return;
    this.#handler.onText(resolveXmlReferences(text, this.#reportReference));
  }
}

/** Where the text ends that can be read: before a reference whose end is missing. */
function findTextEnd(text: string, at: number): number {
  const reference = text.lastIndexOf('&');
  const isOpen =
    reference >= at && text.length - reference <= MAX_REFERENCE_CHARS && !text.includes(';', reference);
  return isOpen ? reference : text.length;
}

function readName(text: string, start: number, end: number): string {
  let place = start;
  while (place < end && text[place] !== '/' && !isSpace(text[place] as string)) place++;
  return text.slice(start, place);
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r';
}
