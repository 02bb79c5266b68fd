/**
 * The ends of elements whose text is not markup (HTML Standard, sections 13.2.5.14 to 13.2.5.31).
 *
 * @module
 */

const NOSCRIPT_END = /<\/noscript[\t\n\f\r />]/gi;
const NOFRAMES_END = /<\/noframes[\t\n\f\r />]/gi;
const SCRIPT_MARKS = /<!--|-->|<(\/?)script[\t\n\f\r />]/gi;

/** The elements that this module handles. The tokenizer handles the others. */
export type TextElement = 'noframes' | 'noscript' | 'script';

/** Whether an element is a {@link TextElement}. */
export function isTextElement(name: string): name is TextElement {
  return name === 'script' || name === 'noscript' || name === 'noframes';
}

/** Returns the position of the end tag of an element whose text begins at `start`; the length of the text if it has no end tag. */
export function findTextEnd(name: TextElement, html: string, start: number): number {
  if (name === 'script') return findScriptEnd(html, start);
  const end = name === 'noscript' ? NOSCRIPT_END : NOFRAMES_END;
  end.lastIndex = start;
  return end.exec(html)?.index ?? html.length;
}

/** Finds the end tag of a script. Inside `<!--`, a nested script element hides it. */
function findScriptEnd(html: string, start: number): number {
  let isEscaped = false;
  let isDoubleEscaped = false;
  SCRIPT_MARKS.lastIndex = start;
  for (let match = SCRIPT_MARKS.exec(html); match !== null; match = SCRIPT_MARKS.exec(html)) {
    const [mark, slash] = match;
    if (mark === '<!--') {
      isEscaped = true;
      // Its dashes can be those of `-->`.
      SCRIPT_MARKS.lastIndex = match.index + 2;
    } else if (mark === '-->') {
      isEscaped = false;
      isDoubleEscaped = false;
    } else if (slash === '') {
      isDoubleEscaped ||= isEscaped;
    } else if (isDoubleEscaped) {
      isDoubleEscaped = false;
    } else return match.index;
  }
  return html.length;
}
