// Writes XML: JUnit reports and Atom feeds.

/** An element with text or further elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly content?: string | readonly XmlElement[];
}

/** Formats a document. Names are not escaped: they never come from outside. */
export function formatXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${formatElement(root, '')}`;
}

function formatElement({ name, attributes = {}, content = '' }: XmlElement, indent: string): string {
  const tag = Object.entries(attributes).reduce(
    (text, [key, value]) => `${text} ${key}="${escapeAttribute(String(value))}"`,
    `${indent}<${name}`,
  );
  if (content.length === 0) return `${tag}/>\n`;
  if (typeof content === 'string') return `${tag}>${escapeXml(content)}</${name}>\n`;
  const elements = content.map((element) => formatElement(element, `${indent}  `)).join('');
  return `${tag}>\n${elements}${indent}</${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes text. Characters that XML 1.0 has no way to write (section 2.2: control characters, halves of surrogate pairs, U+FFFE,
 * U+FFFF) become U+FFFD; a parser would refuse the whole document.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (char) => ENTITIES[char] as string)
    .replace(/\r/g, '&#13;')
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/** In the value of an attribute, parsers make spaces of line ends and tabs, unless they are references (section 3.3.3). */
function escapeAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\n]/g, (char) => `&#${char.charCodeAt(0)};`);
}
