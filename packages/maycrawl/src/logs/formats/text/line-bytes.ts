// Bytes of a line: texts at a position, escapes and numbers.
const [BACKSLASH, HYPHEN, ZERO, NINE] = [0x5c, 0x2d, 0x30, 0x39] as const;

/** Whether an odd number of backslashes is before a byte. */
export function isEscaped(block: Uint8Array, start: number, at: number): boolean {
  let before = at;
  while (before > start && block[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

export function startsWith(block: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (start + text.length > end) return false;
  for (let at = 0; at < text.length; at++) if (block[start + at] !== text[at]) return false;
  return true;
}

/** Whether a field is empty, or `-`, which stands for a missing value. */
export function isMissing(block: Uint8Array, start: number, end: number): boolean {
  return end <= start || (end === start + 1 && block[start] === HYPHEN);
}

/** Whether a field is a number of up to `most` digits, or missing. */
export function isNumber(block: Uint8Array, start: number, end: number, most: number): boolean {
  if (isMissing(block, start, end)) return true;
  if (end - start > most) return false;
  for (let at = start; at < end; at++) {
    const byte = block[at] as number;
    if (byte < ZERO || byte > NINE) return false;
  }
  return true;
}
