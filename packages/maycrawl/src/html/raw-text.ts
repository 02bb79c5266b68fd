// The ends of elements whose text is not markup (HTML Standard, sections 13.2.5.2 to 13.2.5.5 and 13.2.5.9 to 13.2.5.31).

const SCRIPT_MARKS = /<!--|-->|<(\/?)script[\t\n\f\r />]/gi;

/** Elements whose text ends at the first end tag of their name. Here `noscript` is one: crawlers that render run scripts. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['iframe', /<\/iframe[\t\n\f\r />]/gi],
  ['noembed', /<\/noembed[\t\n\f\r />]/gi],
  ['noframes', /<\/noframes[\t\n\f\r />]/gi],
  ['noscript', /<\/noscript[\t\n\f\r />]/gi],
  ['style', /<\/style[\t\n\f\r />]/gi],
  ['textarea', /<\/textarea[\t\n\f\r />]/gi],
  ['title', /<\/title[\t\n\f\r />]/gi],
  ['xmp', /<\/xmp[\t\n\f\r />]/gi],
]);

/** Whether the text of an element is not markup. */
export function isTextElement(name: string): boolean {
  return ENDS.has(name) || name === 'script' || name === 'plaintext';
}

/**
 * Returns the position of the end tag of an element whose text begins at `start`; the length of the document if it has no end tag.
 *
 * @param name - of an element for which {@link isTextElement} is true.
 */
export function findTextEnd(name: string, html: string, start: number): number {
  if (name === 'script') return findScriptEnd(html, start);
  const end = ENDS.get(name);
  if (end === undefined) return html.length;
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
