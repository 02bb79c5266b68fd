// The kernel: WebAssembly code that finds the user-agent lines and rules of a robots.txt with SIMD instructions. It is compiled when it is
// first needed. kernel/kernel.ts is its source, and describes its memory.
import { DOLLAR, HASH, PERCENT, SPACE, STAR } from '../bytes/ascii.ts';
import { encodeUtf8Into, instantiateWebAssembly } from '../bytes/platform.ts';
import { KERNEL_CODE } from './kernel-code.ts';

/** Offsets in the memory of the kernel. */
const RECORDS = 64;
const FILE = 65_536;
const PAGE_BYTES = 65_536;
/** Bytes after the file that the kernel reads. */
const PADDING = 128;
/** Larger files are read without the kernel. Its memory grows to the size of the largest file, and never shrinks. */
const MAX_KERNEL_FILE_BYTES = 1_048_576;

/** Numbers per record: line number times 4 plus kind, start and end of the value. The kind of an odd line is 0. */
export const RECORD_NUMBERS = 3;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  isAscii(length: number): number;
  begin(from: number, length: number, path: number, allowIndex: number, disallowIndex: number): void;
  next(): number;
}

/** The kernel and the file in its memory. */
export class Kernel {
  /** The file, and bytes of other files after its end. It is another object after the memory has grown. */
  bytes: Uint8Array;
  /** The records of the current block. */
  records: Int32Array;
  /** Number of files that have been loaded. */
  loads = 0;
  readonly #exports: Exports;
  #length = 0;

  constructor(exports: Exports) {
    this.#exports = exports;
    const { buffer } = exports.memory;
    this.bytes = new Uint8Array(buffer, FILE);
    this.records = new Int32Array(buffer, RECORDS);
  }

  /**
   * Copies a file into the memory.
   *
   * @param content - bytes, or an ASCII string.
   * @returns `false` if the file is too large, or there is not enough memory.
   */
  load(content: Uint8Array | string): boolean {
    const { length } = content;
    if (length > MAX_KERNEL_FILE_BYTES) return false;
    const missing = length + PADDING - this.bytes.length;
    if (missing > 0 && !this.#grow(Math.ceil(missing / PAGE_BYTES))) return false;
    this.loads++;
    if (typeof content === 'string') encodeUtf8Into(content, this.bytes);
    else this.bytes.set(content);
    this.#length = length;
    return true;
  }

  isAscii(): boolean {
    return this.#exports.isAscii(this.#length) !== 0;
  }

  /**
   * Begins to read the lines of the file at byte `from`.
   *
   * @param text - skips rules whose first characters do not match the path from `start` to the end of this string. The first rule after
   *   user-agent lines is not skipped.
   */
  begin(from: number, text: string | undefined, start: number): void {
    if (text === undefined) {
      this.#exports.begin(from, this.#length, 0, -1, -1);
      return;
    }
    // The first four characters as a little-endian word.
    let word = 0;
    let literals = 4;
    for (let index = 3; index >= 0; index--) {
      const code = text.charCodeAt(start + index);
      const isComparable = isLiteral(code);
      if (!isComparable) literals = index;
      word = (word << 8) | (isComparable ? code : 0xff);
    }
    // An allow rule for an index page also matches the directory, which is shorter.
    const allowIndex = Math.min(literals, text.length - start - 1);
    this.#exports.begin(from, this.#length, word, allowIndex, literals);
  }

  /** Reads the next block into {@link records}. Returns the end of the records as an index; -1 after the last block. */
  next(): number {
    const end = this.#exports.next();
    return end === 0 ? -1 : (end - RECORDS) >> 2;
  }

  #grow(pages: number): boolean {
    const { memory } = this.#exports;
    try {
      memory.grow(pages);
    } catch {
      return false;
    }
    this.bytes = new Uint8Array(memory.buffer, FILE);
    this.records = new Int32Array(memory.buffer, RECORDS);
    return true;
  }
}

/** Whether a character has no special meaning in a value and does not end it. */
function isLiteral(code: number): boolean {
  return code > SPACE && code < 0x7f && code !== HASH && code !== DOLLAR && code !== PERCENT && code !== STAR;
}

let kernel: Kernel | undefined;
let isCompiled = false;

/** Returns the kernel; `undefined` where WebAssembly with SIMD cannot be compiled. */
export function getKernel(): Kernel | undefined {
  if (!isCompiled) {
    isCompiled = true;
    const exports = instantiateWebAssembly(KERNEL_CODE);
    if (exports !== undefined) kernel = new Kernel(exports as Exports);
  }
  return kernel;
}

export function isAscii(bytes: Uint8Array): boolean {
  const loaded = getKernel();
  if (loaded?.load(bytes) === true) return loaded.isAscii();
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] as number) >= 0x80) return false;
  return true;
}
