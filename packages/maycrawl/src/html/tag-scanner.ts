// Reads tags (HTML Standard, sections 13.2.5.6 to 13.2.5.40). A tag is read in one step: the next quote or bracket is found by
// `indexOf`, and nothing is created for attributes that do not matter.
import { lowerCase } from './fact-collector.ts';
import type { Attributes } from './foreign.ts';
import { decodeAttribute } from './references.ts';

const [TAB, LINE_FEED, FORM_FEED, SPACE] = [0x09, 0x0a, 0x0c, 0x20] as const;
const [DOUBLE_QUOTE, SINGLE_QUOTE, SLASH, EQUALS, GREATER_THAN] = [0x22, 0x27, 0x2f, 0x3d, 0x3e] as const;

/** Elements whose attributes matter; `annotation-xml` and `font` say whether a drawing goes on. */
const WITH_ATTRIBUTES: ReadonlySet<string> = new Set(
  'a annotation-xml area base font frame iframe image img input link meta script source video'.split(' '),
);
/** These attributes. */
const NAMES: ReadonlySet<string> = new Set(
  'alt as color content encoding face href hreflang http-equiv imagesrcset lang media name nomodule poster rel size src srcset type'.split(
    ' ',
  ),
);

/** Whether a character can begin the name of a tag. */
export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Reads the tags of one document, one at a time: its properties are those of the tag that was read last. */
export class TagScanner {
  /** The name in lower case. */
  name = '';
  isSelfClosing = false;
  readonly #attributes: Map<string, string> = new Map();
  readonly #html: string;

  /** @param html - without carriage returns. */
  constructor(html: string) {
    this.#html = html;
  }

  /** Attributes of a start tag of an element whose attributes matter; none for others. */
  get attributes(): Attributes {
    return this.#attributes;
  }

  /**
   * Reads a tag.
   *
   * @param at - position of its name.
   * @returns the position after it; -1 if the document ends in it.
   */
  read(at: number, kind: 'start' | 'end'): number {
    const end = this.#findNameEnd(at);
    this.name = lowerCase(this.#slice(at, end));
    if (this.#attributes.size > 0) this.#attributes.clear();
    return this.#readAttributes(end, kind === 'start' && WITH_ATTRIBUTES.has(this.name));
  }

  #readAttributes(start: number, areKept: boolean): number {
    const html = this.#html;
    for (let at = start; ; ) {
      const from = at;
      at = this.#skipSpacesAndSlashes(at);
      if (at === html.length) return -1;
      if (html.charCodeAt(at) === GREATER_THAN) {
        this.isSelfClosing = at > from && html.charCodeAt(at - 1) === SLASH;
        return at + 1;
      }
      const nameStart = at;
      const nameEnd = this.#findAttributeNameEnd(at + 1);
      at = this.#skipSpaces(nameEnd);
      let [valueStart, valueEnd] = [at, at];
      if (html.charCodeAt(at) === EQUALS) {
        at = this.#skipSpaces(at + 1);
        const quote = html.charCodeAt(at);
        if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
          valueStart = at + 1;
          valueEnd = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", valueStart);
          if (valueEnd < 0) return -1;
          at = valueEnd + 1;
        } else {
          valueStart = at;
          at = valueEnd = this.#findValueEnd(at);
        }
      }
      if (areKept) this.#keep(nameStart, nameEnd, valueStart, valueEnd);
    }
  }

  #keep(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const name = lowerCase(this.#slice(nameStart, nameEnd));
    if (NAMES.has(name) && !this.#attributes.has(name))
      this.#attributes.set(name, decodeAttribute(this.#slice(valueStart, valueEnd)));
  }

  #slice(start: number, end: number): string {
    const text = this.#html.slice(start, end);
    return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (isSpace(this.#html.charCodeAt(at))) at++;
    return at;
  }

  #skipSpacesAndSlashes(from: number): number {
    for (let at = from; ; at++) {
      const code = this.#html.charCodeAt(at);
      if (code !== SLASH && !isSpace(code)) return at;
    }
  }

  #findNameEnd(from: number): number {
    for (let at = from; ; at++) if (endsName(this.#html.charCodeAt(at))) return at;
  }

  #findAttributeNameEnd(from: number): number {
    for (let at = from; ; at++) {
      const code = this.#html.charCodeAt(at);
      if (code === EQUALS || endsName(code)) return at;
    }
  }

  #findValueEnd(from: number): number {
    for (let at = from; ; at++) {
      const code = this.#html.charCodeAt(at);
      if (code === GREATER_THAN || isSpace(code) || Number.isNaN(code)) return at;
    }
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB || code === FORM_FEED;
}

/** Whether the name of a tag ends before a character; NaN is the end of the document. */
function endsName(code: number): boolean {
  return code === GREATER_THAN || code === SLASH || isSpace(code) || Number.isNaN(code);
}
