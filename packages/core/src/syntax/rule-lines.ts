// The user-agent lines and rules of a robots.txt, in file order. They decide which rules apply to a crawler.
//
// The kernel finds them and reads those in plain form. The scanner reads all other lines, and whole files where the kernel is not
// available. Property tests compare both.
import { encodeUtf8 } from '../bytes/platform.ts';
import { ALLOW, DISALLOW, NO_RECORD, USER_AGENT } from './fields.ts';
import { getKernel, type Kernel, RECORD_NUMBERS } from './kernel.ts';
import { getByteOrderMarkLength, Scanner } from './scanner.ts';

/** Iterates over lines without allocation. Each call of {@link next} overwrites the other properties. */
export interface RuleLines {
  /** Contains the values. */
  readonly bytes: Uint8Array;
  /** Kind of the line: a constant of fields.ts. */
  readonly kind: number;
  readonly line: number;
  /** Byte offsets of the value, without white space around it. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /**
   * Reads the next line; returns `false` after the last one. It may skip lines of other kinds than user-agent lines and rules, and rules
   * that do not match the path.
   */
  next(): boolean;
}

/**
 * Reads the user-agent lines and rules of a file.
 *
 * @param content - bytes, or an ASCII string.
 * @param exactFields - accept only whole standard field names (RFC 9309), not Google's misspellings and prefixes.
 * @param path - a path from `start` to the end of `text`. Rules that do not match it may be skipped, except the first one after user-agent
 *   lines, which ends their list.
 * @returns the lines. They are valid until the next call of this function.
 */
export function readRuleLines(
  content: Uint8Array | string,
  exactFields: boolean,
  path?: { readonly text: string; readonly start: number },
): RuleLines {
  const kernel = getKernel();
  if (kernel?.load(content) !== true)
    return new Scanner(typeof content === 'string' ? encodeUtf8(content) : content, exactFields);
  const from = typeof content === 'string' ? 0 : getByteOrderMarkLength(content);
  kernel.begin(from, path?.text, path?.start ?? 0);
  return new KernelLines(kernel, exactFields);
}

/** Lines that the kernel finds. */
class KernelLines implements RuleLines {
  readonly bytes: Uint8Array;
  kind: number = NO_RECORD;
  line = 0;
  valueStart = 0;
  valueEnd = 0;
  readonly #kernel: Kernel;
  readonly #exactFields: boolean;
  readonly #load: number;
  /** The next record, and the end of the records of the block. */
  #at = 0;
  #end = 0;
  #scanner: Scanner | undefined;

  /** @param kernel - has begun to read the file. */
  constructor(kernel: Kernel, exactFields: boolean) {
    this.bytes = kernel.bytes;
    this.#kernel = kernel;
    this.#exactFields = exactFields;
    this.#load = kernel.loads;
  }

  next(): boolean {
    const { records, loads } = this.#kernel;
    // Without this, the lines of another file would be read as lines of this one.
    if (loads !== this.#load) throw new Error('another file has been read');
    for (;;) {
      while (this.#at === this.#end) {
        this.#end = this.#kernel.next();
        this.#at = 0;
        if (this.#end < 0) return false;
      }
      const head = records[this.#at] as number;
      const start = records[this.#at + 1] as number;
      const end = records[this.#at + 2] as number;
      this.#at += RECORD_NUMBERS;
      this.line = head >>> 2;
      this.kind = head & 3;
      if (this.kind !== NO_RECORD) {
        this.valueStart = start;
        this.valueEnd = end;
        return true;
      }
      if (this.#readOddLine(start, end)) return true;
    }
  }

  /** Reads a misspelled field name, a name with a suffix, a missing colon or a long line. */
  #readOddLine(start: number, end: number): boolean {
    this.#scanner ??= new Scanner(this.bytes, this.#exactFields);
    const scanner = this.#scanner;
    scanner.readLine(this.line, start, end);
    this.kind = scanner.kind;
    this.valueStart = scanner.valueStart;
    this.valueEnd = scanner.valueEnd;
    return this.kind === USER_AGENT || this.kind === ALLOW || this.kind === DISALLOW;
  }
}
