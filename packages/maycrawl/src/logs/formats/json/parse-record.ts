// Parses a line that is a JSON object (RFC 8259). The runtime's parser takes linear time and no stack for each level; of members with the
// same name the last one counts, and `__proto__` is a member like others.
import { isUtf8 } from 'node:buffer';

/** The members of a JSON object. */
export interface JsonRecord {
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the texts are byte strings, because the line is not valid UTF-8. */
  readonly areBytes: boolean;
}

const OPENING_BRACE = 0x7b;

/** @returns `undefined` if the bytes are no JSON object. */
export function parseRecord(block: Buffer, start: number, end: number): JsonRecord | undefined {
  if (block[start] !== OPENING_BRACE) return undefined;
  let text = block.toString('utf8', start, end);
  // Bytes that are no UTF-8 become U+FFFD, which a valid line can contain, too.
  const areBytes = text.includes('\ufffd') && !isUtf8(block.subarray(start, end));
  if (areBytes) text = block.toString('latin1', start, end);
  const members = parseObject(text);
  if (members !== undefined) return { members, areBytes };
  // nginx writes `\xHH` into JSON unless the format has `escape=json`.
  if (!text.includes('\\x')) return undefined;
  const repaired = parseObject(text.replace(/\\x([\da-f]{2})/gi, '\\u00$1'));
  return repaired === undefined ? undefined : { members: repaired, areBytes: true };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
