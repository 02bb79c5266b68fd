/**
 * Character references, such as `&amp;` (HTML Standard, section 13.2.5.72). Few texts have any, so they are resolved apart
 * from everything else, in those that have.
 *
 * @module
 */
import { Tokenizer } from 'htmlparser2';

/** The value of an attribute as it is meant. */
export function decodeAttribute(value: string): string {
  if (!value.includes('&')) return value;
  return read(`<a b="${value.replaceAll('"', '&quot;')}">`);
}

/** Text as it is meant; a `<` in it is one. */
export function decodeText(text: string): string {
  if (!text.includes('&')) return text;
  return read(text.replaceAll('<', '&lt;'));
}

/** The text of a piece of HTML, or the value of its one attribute. */
function read(html: string): string {
  let result = '';
  const add = (start: number, end: number): void => {
    result += html.slice(start, end);
  };
  const addCodePoint = (codepoint: number): void => {
    result += String.fromCodePoint(codepoint);
  };
  const tokenizer = new Tokenizer(
    {},
    { ontext: add, onattribdata: add, ontextentity: addCodePoint, onattribentity: addCodePoint, ...NOTHING },
  );
  tokenizer.write(html);
  tokenizer.end();
  return result;
}

const ignore = (): void => {};
const NOTHING = {
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
};
