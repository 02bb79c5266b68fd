// What the scanner of XML reports.

/**
 * The kind of a problem.
 *
 * - `missing-end-tag`: an element ends with the element around it, or with the document.
 * - `unexpected-end-tag`: an end tag whose element is not open. It is ignored.
 * - `unresolved-reference`: a reference to an entity other than the five of XML, or to no character. It stays as written, or is U+FFFD.
 * - `invalid-markup`: `<` that begins nothing, a tag without `>`, a value without quotes. The text is read as far as possible.
 * - `unexpected-end`: the document ends in a tag, a comment, a section or a declaration, which is not read.
 */
export type XmlProblemCode =
  | 'missing-end-tag'
  | 'unexpected-end-tag'
  | 'unresolved-reference'
  | 'invalid-markup'
  | 'unexpected-end';

/** Something that is not well-formed. */
export interface XmlProblem {
  readonly code: XmlProblemCode;
  /** The name of the element, or the markup as written, at most 100 characters of it. */
  readonly text: string;
}

/** Takes what the scanner reads. */
export interface XmlHandler {
  /**
   * An element begins.
   *
   * @param attributes - the rest of its tag as written (`parseXmlAttributes`).
   * @param at - the offset of the tag in the document, in characters.
   */
  onOpen(name: string, attributes: string, at: number): void;
  /** A part of a text, with its references resolved. */
  onText(text: string): void;
  /** An element ends. */
  onClose(name: string): void;
  /** @param at - the offset in the document, in characters. @defaultValue problems are ignored */
  onProblem?(problem: XmlProblem, at: number): void;
}

const MAX_PROBLEM_TEXT = 100;

export function createXmlProblem(code: XmlProblemCode, text: string): XmlProblem {
  return { code, text: text.slice(0, MAX_PROBLEM_TEXT) };
}
