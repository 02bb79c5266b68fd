// Files and URLs as text that shows every byte: what a reader would not see is an escape.

/** Longer texts of a repetition are not written out. */
const MAX_REPEATED = 60;

/** The text of a file: lines as they are, other control characters, spaces at the end of a line and bytes that are not UTF-8 as escapes. */
export function formatContent({ robots, robots_base64: base64 }) {
  if (Array.isArray(robots)) return robots.map(formatRepeated).join('');
  return escapeInvisible(base64 === undefined ? robots : decodeBytes(Buffer.from(base64, 'base64')));
}

/** A URL; a long one is cut. */
export function formatUrl(url) {
  if (!Array.isArray(url)) return url;
  return url.map(([text, count]) => (count === 1 ? text : `${text.repeat(3)}...`)).join('');
}

function formatRepeated([text, count]) {
  if (count === 1) return escapeInvisible(text);
  if (text.length * count <= MAX_REPEATED) return text.repeat(count);
  const times = count.toLocaleString('en-US');
  return text.endsWith('\n') ? `${text}... (${times} times)\n` : `${text.repeat(3)}... (${times} times)`;
}

function escapeInvisible(text) {
  return text
    .replace(/[^\n\x20-\x7e\u00a1-\u1fff\u3000-\ud7ff]/gu, toEscape)
    .replace(/ +$/gm, (spaces) => '\\x20'.repeat(spaces.length));
}

function toEscape(char) {
  const named = { '\r': '\\r', '\t': '\\t', '\f': '\\f', '\0': '\\0' }[char];
  return named ?? `\\u${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Decodes UTF-8, or shows the bytes of something else. */
function decodeBytes(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return [...bytes]
      .map((byte) =>
        byte > 0x7e || byte < 0x09
          ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
          : String.fromCharCode(byte),
      )
      .join('');
  }
}
