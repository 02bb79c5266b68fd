/**
 * A streaming scanner of XML: elements, text and CDATA sections, piece by piece. It builds no document, resolves no entity but the
 * five of XML and numbers (no declared one, so none that expands), and loads nothing, so that browsers can use it.
 *
 * Time is linear in the input, and memory is bounded, whatever the input is. It reads what is not well-formed as far as possible: end
 * tags close all that is open inside their element, and those of no open element are ignored.
 *
 * @module
 */

/** Takes what the scanner reads. */
export interface XmlHandler {
  /** An element begins. @param attributes - the rest of its tag as written ({@link parseXmlAttributes}). */
  onOpen(name: string, attributes: string): void;
  /** A piece of text, with its references resolved. */
  onText(text: string): void;
  /** An element ends. */
  onClose(name: string): void;
}

/** The input is beyond the bounds of the scanner. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Elements in one another. */
const MAX_DEPTH = 100;
/** Characters of one tag. */
const MAX_TAG_CHARS = 32_768;
/** Characters of a reference: `&#x10ffff;` has ten. */
const MAX_REFERENCE_CHARS = 12;

/** What begins with `<` and is no tag, by its beginning; the longest first. */
const SECTIONS = [
  { start: '<![CDATA[', end: ']]>' },
  { start: '<!--', end: '-->' },
  { start: '<?', end: '?>' },
  { start: '<!', end: '>' },
] as const;
type Section = (typeof SECTIONS)[number];

/** Scans one document. */
export class XmlScanner {
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  /** What was written and not read: the beginning of something whose end is missing. */
  #rest = '';
  /** Where that begins in the input of the current call. */
  #restAt = 0;
  #section: Section | undefined;
  /** How far the tag in `#rest` was searched for its end, and the quote in which the search is, or the `=` before one. */
  #searched = 1;
  #mark = '';

  constructor(handler: XmlHandler) {
    this.#handler = handler;
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
  }

  /** Ends the document. Returns whether it is complete: `false` if it ends inside an element, tag or section. */
  end(): boolean {
    const isText = this.#section === undefined && !this.#rest.startsWith('<');
    if (isText) this.#takeText(this.#rest);
    return isText && this.#open.length === 0;
  }

  /** Reads one thing from `at` on. Returns where the next begins; `undefined` if more input is needed, from `#restAt` on. */
  #step(text: string, at: number): number | undefined {
    if (this.#section !== undefined) return this.#readSection(text, at, this.#section);
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

  #readMarkup(text: string, at: number): number | undefined {
    this.#restAt = at;
    const left = text.length - at;
    for (const section of SECTIONS) {
      if (text.startsWith(section.start, at)) {
        this.#section = section;
        return at + section.start.length;
      }
      if (left < section.start.length && section.start.startsWith(text.slice(at))) return undefined;
    }
    const end = this.#findTagEnd(text, at);
    if ((end ?? text.length) - at > MAX_TAG_CHARS)
      throw new XmlError(`a tag of more than ${MAX_TAG_CHARS} characters`);
    if (end === undefined) return undefined;
    this.#searched = 1;
    this.#mark = '';
    if (text[at + 1] === '/') this.#close(readName(text, at + 2, end));
    else this.#openElement(text, at + 1, end);
    return end + 1;
  }

  /** Finds the `>` that ends a tag. In a quoted value it is a character like any other. */
  #findTagEnd(text: string, at: number): number | undefined {
    let mark = this.#mark;
    for (let place = at + this.#searched; place < text.length; place++) {
      const char = text[place] as string;
      if (mark === '"' || mark === "'") {
        if (char === mark) mark = '';
      } else if (char === '>') return place;
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
    if (name === '') return;
    const isEmpty = text[end - 1] === '/';
    if (this.#open.length >= MAX_DEPTH) throw new XmlError(`more than ${MAX_DEPTH} elements in one another`);
    this.#handler.onOpen(name, text.slice(start + name.length, isEmpty ? end - 1 : end));
    if (isEmpty) this.#handler.onClose(name);
    else this.#open.push(name);
  }

  #close(name: string): void {
    const index = this.#open.lastIndexOf(name);
    if (index < 0) return;
    while (this.#open.length > index) this.#handler.onClose(this.#open.pop() as string);
  }

  #takeText(text: string): void {
    if (text !== '') this.#handler.onText(decodeXmlText(text));
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

/** Parses the attributes of a tag. Of several with one name the first counts. */
export function parseXmlAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(
    /\s([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    if (!attributes.has(name)) attributes.set(name, decodeXmlText(double ?? single ?? ''));
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves references to the five entities of XML and to characters. Others stay; one to no character is U+FFFD. */
function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (_, name, decimal, hex) => {
      if (name !== undefined) return ENTITIES[name] as string;
      const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
