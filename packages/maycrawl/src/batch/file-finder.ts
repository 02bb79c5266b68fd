/**
 * Finds the robots.txt in a question in JSON.
 *
 * @module
 */

/** The position of the file in a block: its field and value, including quotes. */
export interface FilePlace {
  readonly field: 'robots' | 'robotsBase64' | 'robots_base64';
  readonly start: number;
  readonly end: number;
}

const FIELD_START: Buffer = Buffer.from('"robots');
/** Suffixes of field names. */
const NAMES = { '"': '', 'Base64"': 'Base64', '_base64"': '_base64' } as const;
const SUFFIXES = Object.keys(NAMES) as (keyof typeof NAMES)[];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Finds the likely positions of files, line by line. */
export class FileFinder {
  readonly #block: Buffer;
  /** Start of the next field with the right beginning. Lines without one do not repeat the search. */
  #next = -1;

  constructor(block: Buffer) {
    this.#block = block;
  }

  /**
   * Finds the likely position of a file in the line from `start` to `end`, which must follow the previous line. It may be inside another
   * value: the caller must verify it.
   */
  find(start: number, end: number): FilePlace | undefined {
    const block = this.#block;
    if (this.#next < start) this.#seek(start);
    for (; this.#next < end; this.#seek(this.#next + 1)) {
      const field = this.#next;
      let at = field + FIELD_START.length;
      const suffix = SUFFIXES.find((each) => block.toString('latin1', at, at + each.length) === each);
      if (suffix === undefined) continue;
      at = skipSpaces(block, at + suffix.length);
      if (block[at] !== COLON) continue;
      at = skipSpaces(block, at + 1);
      if (block[at] !== QUOTE) continue;
      const valueEnd = findStringEnd(block, at + 1);
      if (valueEnd < 0 || valueEnd > end) return undefined;
      return { field: `robots${NAMES[suffix]}`, start: field, end: valueEnd };
    }
    return undefined;
  }

  #seek(from: number): void {
    const found = this.#block.indexOf(FIELD_START, from);
    this.#next = found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}

function skipSpaces(line: Buffer, from: number): number {
  let at = from;
  while (line[at] === 0x20 || line[at] === 0x09) at++;
  return at;
}

/** Returns the index after the closing quote of a JSON string; -1 if there is none. */
function findStringEnd(line: Buffer, from: number): number {
  for (let quote = line.indexOf(QUOTE, from); quote >= 0; quote = line.indexOf(QUOTE, quote + 1)) {
    let escapes = quote;
    while (escapes > from && line[escapes - 1] === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return -1;
}
