// Where WARC records begin and their blocks end.

const LF = 10;
const CR = 13;

/** How each record begins. */
export const VERSION_START = 'WARC/';
const VERSION: Buffer = Buffer.from(VERSION_START);
/** What follows a block. */
export const RECORD_END: Buffer = Buffer.from('\r\n\r\n');
/** A line that may be the start of a record. */
export const RECORD_START: Buffer = Buffer.from(`\n${VERSION_START}`);

/** Bytes after a block that show whether it ends there: two bytes more, two line ends, and the start of a record. */
export const BLOCK_END_BYTES = 12;

/** Whether two line ends follow, or a record without them, or the end of the data. */
export function endsBlock(data: Buffer, at: number): boolean {
  if (at >= data.length) return at === data.length;
  if (data[at] === CR && data[at + 1] === LF && data[at + 2] === CR && data[at + 3] === LF) return true;
  let next = at;
  while (next < at + 4 && (data[next] === CR || data[next] === LF)) next++;
  return next === data.length || startsRecord(data, next);
}

/** Whether the bytes before an offset are those after a block. */
export function endsWithRecordEnd(data: Buffer, at: number): boolean {
  return data.subarray(Math.max(at - RECORD_END.length, 0), at).equals(RECORD_END);
}

/** Whether a record may begin at an offset: `WARC/` and a digit. */
export function startsRecord(data: Buffer, at: number): boolean {
  for (let index = 0; index < VERSION.length; index++) if (data[at + index] !== VERSION[index]) return false;
  const digit = data[at + VERSION.length] ?? 0;
  return digit >= 0x30 && digit <= 0x39;
}

/** Finds a line before `before` that may be the start of a record; -1 without such a line. */
export function findRecord(data: Buffer, from: number, before: number): number {
  const part = data.subarray(0, before + RECORD_START.length);
  let at = from - 1;
  do at = part.indexOf(RECORD_START, at + 1);
  while (at >= 0 && !startsRecord(part, at + 1));
  return at < 0 || at + 1 >= before ? -1 : at + 1;
}
