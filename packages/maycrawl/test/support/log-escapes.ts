// The escapes with which servers write byte strings into their logs.

export const CLF_MONTHS: readonly string[] = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const toHex = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');

/** `"`, `\` and all bytes that are not printable ASCII. */
export function escapeNginx(bytes: string): string {
  return bytes.replace(/["\\]|[^ -~]/g, (char) => `\\x${toHex(char).toUpperCase()}`);
}

const APACHE: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

export function escapeApache(bytes: string): string {
  return bytes.replace(/["\\]|[^ -~]/g, (char) => APACHE[char] ?? `\\x${toHex(char)}`);
}

/** The escapes of nginx with `escape=json`, which leaves the bytes above ASCII. */
export function escapeJson(bytes: string): string {
  return bytes.replace(/["\\]|\p{Cc}/gu, (char) => {
    if (char === '"' || char === '\\') return `\\${char}`;
    return char < ' ' ? `\\u00${toHex(char).toUpperCase()}` : char;
  });
}

/** The characters that CloudFront encodes, the percent sign among them. */
export function percentEncode(bytes: string): string {
  return bytes.replace(/[^!$&()*+,\-./\w:;=?@]/g, (char) => `%${toHex(char).toUpperCase()}`);
}
