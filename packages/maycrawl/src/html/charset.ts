// Which encoding the bytes of an HTML document are in (HTML Standard, section 13.2.3): a byte order mark, then the
// Content-Type header, then what the document says of itself, then windows-1252.

/** As much of a document is searched for what it says of its encoding. */
const PRESCAN_BYTES = 1024;

/** Decodes a document. No bytes are an error: what the encoding does not have becomes U+FFFD. */
export function decodeHtml(bytes: Uint8Array, contentType: string | undefined): string {
  const marked = findByteOrderMark(bytes);
  const encoding = marked ?? getHeaderEncoding(contentType) ?? prescan(bytes) ?? 'windows-1252';
  // The decoder of the encoding that a mark names drops the mark.
  const text = getDecoder(encoding).decode(bytes);
  return encoding === 'windows-1252' ? replaceControls(text) : text;
}

function findByteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** The encoding that a media type names; `null` if it names none that is known. */
function getHeaderEncoding(contentType: string | undefined): string | null {
  const label = /;[\t ]*charset=[\t ]*(?:"([^"]*)"?|([^\t ;"]*))/i.exec(contentType ?? '');
  return label === null ? null : getEncoding(label[1] ?? label[2] ?? '');
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

function getDecoder(encoding: string): InstanceType<typeof TextDecoder> {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding);
  decoders.set(encoding, decoder);
  return decoder;
}

const encodings = new Map<string, string | null>();

/** The name of the encoding that a label stands for (Encoding Standard, section 4.2); `null` if there is none. */
function getEncoding(label: string): string | null {
  const key = label.trim().toLowerCase();
  const known = encodings.get(key);
  if (known !== undefined) return known;
  const encoding = lookUp(key);
  // There are some 200 labels; whatever else servers send is not kept.
  if (encoding !== null) encodings.set(key, encoding);
  return encoding;
}

function lookUp(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * What a document says of its encoding ("prescan a byte stream"): in a meta element, which is found without regard to where it
 * stands, or failing that in an XML declaration.
 */
function prescan(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES));
  const text = start.toString('latin1');
  if (text.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (text.startsWith('\0<\0?\0x')) return 'utf-16be';
  const declared = /^<\?xml[^>]*?\bencoding[\0- ]*=[\0- ]*(?:"([^">]*)"|'([^'>]*)')/.exec(text);
  return prescanTags(text) ?? toSingleByteEncoding(getEncoding(declared?.[1] ?? declared?.[2] ?? ''));
}

/** What `<` begins: a comment, a meta element, another tag, something else that goes to the next `>`. */
const MARKUP = /<(?:!--|(meta)[\t\n\f\r /]|\/?([a-z][^\t\n\f\r >]*)|[!/?])/gi;

const ATTRIBUTE =
  /[\t\n\f\r /]*(?:>|([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?)/y;

function prescanTags(text: string): string | null {
  MARKUP.lastIndex = 0;
  for (let match = MARKUP.exec(text); match !== null; match = MARKUP.exec(text)) {
    const [markup, meta, tag] = match;
    if (markup === '<!--') {
      // The dashes that open a comment can be those that close it.
      const end = text.indexOf('-->', match.index + 2);
      if (end < 0) return null;
      MARKUP.lastIndex = end + 3;
    } else if (meta === undefined && tag === undefined) {
      const end = text.indexOf('>', match.index);
      if (end < 0) return null;
      MARKUP.lastIndex = end + 1;
    } else {
      const { attributes, end } = readAttributes(text, MARKUP.lastIndex);
      const encoding = meta === undefined ? null : findMetaEncoding(attributes);
      if (encoding !== null) return encoding;
      MARKUP.lastIndex = end;
    }
  }
  return null;
}

function readAttributes(text: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = start;
  let end = start;
  for (let match = ATTRIBUTE.exec(text); match !== null; match = ATTRIBUTE.exec(text)) {
    end = ATTRIBUTE.lastIndex;
    const [, name, ...values] = match;
    if (name === undefined) break;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, values.find((value) => value !== undefined) ?? '');
  }
  return { attributes, end };
}

function findMetaEncoding(attributes: ReadonlyMap<string, string>): string | null {
  const charset = attributes.get('charset');
  if (charset !== undefined) return toSingleByteEncoding(getEncoding(charset));
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return null;
  const content = attributes.get('content') ?? '';
  const label =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i.exec(content);
  return label === null ? null : toSingleByteEncoding(getEncoding(label[1] ?? label[2] ?? label[3] ?? ''));
}

/** Who could read this in single bytes has no UTF-16; the standard has it mean UTF-8. */
function toSingleByteEncoding(encoding: string | null): string | null {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}

/** What windows-1252 has from 0x80 on; five of them are the control characters themselves. */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/** Node 20's decoder of windows-1252 leaves the bytes 0x80 to 0x9f as control characters. */
function replaceControls(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] as string);
}
