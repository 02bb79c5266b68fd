/**
 * A reader of small XML documents: elements, attributes and text, in document order. It reads no document type declarations, so it
 * expands no entities but those of XML itself. The time is linear in the length.
 *
 * @module
 */

/** A tag or a text of a document. */
export type XmlEvent =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: ReadonlyMap<string, string>;
      readonly line: number;
    }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Markup that is skipped, by its start. */
const SKIPPED: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
];
const [CDATA_START, CDATA_END] = ['<![CDATA[', ']]>'] as const;

/**
 * Reads the events of a document. Names have no namespace prefix. An element without content has both events.
 *
 * @throws {SyntaxError} if the document has a document type declaration, or a tag or section does not end.
 */
export function* readXml(text: string): Generator<XmlEvent, void, undefined> {
  let line = 1;
  let counted = 0;
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('<', at);
    const textEnd = open < 0 ? text.length : open;
    if (textEnd > at) yield { kind: 'text', text: decodeEntities(text.slice(at, textEnd)) };
    if (open < 0) return;
    const skipped = SKIPPED.find(([start]) => text.startsWith(start, open));
    if (skipped !== undefined) at = findEnd(text, skipped[1], open + skipped[0].length);
    else if (text.startsWith(CDATA_START, open)) {
      at = findEnd(text, CDATA_END, open + CDATA_START.length);
      yield { kind: 'text', text: text.slice(open + CDATA_START.length, at - CDATA_END.length) };
    } else if (text[open + 1] === '!') throw new SyntaxError('document type declarations are not supported');
    else {
      const end = findTagEnd(text, open + 1);
      line += countLineFeeds(text, counted, open);
      counted = open;
      yield* readTag(text.slice(open + 1, end), line);
      at = end + 1;
    }
  }
}

function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (text[at] === '\n') count++;
  return count;
}

function findEnd(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  if (at < 0) throw new SyntaxError(`"${end}" is missing`);
  return at + end.length;
}

/** Finds the `>` of a tag outside quotes. */
function findTagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at;
  }
  throw new SyntaxError('a tag does not end');
}

function* readTag(tag: string, line: number): Generator<XmlEvent, void, undefined> {
  if (tag[0] === '/') {
    yield { kind: 'close', name: getLocalName(tag.slice(1).trim()) };
    return;
  }
  const isEmpty = tag.endsWith('/');
  const content = isEmpty ? tag.slice(0, -1) : tag;
  const name = /^[^\s]*/.exec(content)?.[0] ?? '';
  yield { kind: 'open', name: getLocalName(name), attributes: readAttributes(content, name.length), line };
  if (isEmpty) yield { kind: 'close', name: getLocalName(name) };
}

const SPACE = /\s*/y;
const NAME = /[^\s=/"']*/y;

/** Reads the attributes of a tag. Text that is not an attribute is skipped, each character once. */
function readAttributes(content: string, from: number): Map<string, string> {
  const attributes = new Map<string, string>();
  let at = from;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [text = ''] = pattern.exec(content) ?? [];
    at += text.length;
    return text;
  };
  while (at < content.length) {
    take(SPACE);
    const name = take(NAME);
    take(SPACE);
    if (name === '' || content[at] !== '=') {
      if (name === '') at++;
      continue;
    }
    at++;
    take(SPACE);
    const quote = content[at];
    const end = quote === '"' || quote === "'" ? content.indexOf(quote, at + 1) : -1;
    if (end < 0) continue;
    attributes.set(getLocalName(name), decodeEntities(content.slice(at + 1, end)));
    at = end + 1;
  }
  return attributes;
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

const MAX_CODE_POINT = 0x10ffff;

/** Decodes the entities of XML and character references. Other references stay as written. */
function decodeEntities(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (reference, name: string) => {
    if (name[0] !== '#') return ENTITIES.get(name) ?? reference;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : reference;
  });
}
