// Header lines of files: `#Fields:` names the fields of the lines after it, until the next such line
// (https://www.w3.org/TR/WD-logfile.html).
const FIELDS = '#Fields:';
const DATE = '#Date:';
const [LF, CR, HASH] = [0x0a, 0x0d, 0x23] as const;

/** What header lines say. As text it is the two lines, because it goes from thread to thread. */
export interface FileHeader {
  /** The names of the fields; empty if no line has named them. */
  readonly fields: readonly string[];
  /** The day of the last `#Date:`, as `2026-11-28`, for lines with the time of the day only. */
  readonly day: string | undefined;
}

/** The longest list of fields: IIS has 22, CloudFront 33. */
const MAX_FIELDS = 200;

/** Whether a line is a header line. */
export function isHeaderLine(block: Buffer, start: number): boolean {
  return block[start] === HASH;
}

/** Returns the header after a block of whole lines. */
export function getHeaderAfter(block: Buffer, header: string): string {
  const [fields = '', date = ''] = header.split('\n');
  const [newFields, newDate] = [findLastLine(block, FIELDS), findLastLine(block, DATE)];
  if (newFields === undefined && newDate === undefined) return header;
  return `${newFields ?? fields}\n${newDate ?? date}`;
}

/** Finds the last line that begins with a text. */
function findLastLine(block: Buffer, text: string): string | undefined {
  let at = block.lastIndexOf(text);
  while (at > 0 && block[at - 1] !== LF) at = block.lastIndexOf(text, at - 1);
  if (at < 0) return undefined;
  let end = block.indexOf(LF, at);
  if (end < 0) end = block.length;
  if (block[end - 1] === CR) end--;
  return block.toString('latin1', at, end);
}

/** Parses a header of {@link getHeaderAfter}. */
export function parseHeader(header: string): FileHeader {
  const [fields = '', date = ''] = header.split('\n');
  const names = fields.slice(FIELDS.length).split(/[ \t]+/);
  return {
    fields: names.filter((name) => name !== '').slice(0, MAX_FIELDS),
    day: /^#Date:\s{0,9}(\d{4}-\d\d-\d\d)/.exec(date)?.[1],
  };
}
