/**
 * Strings of JSON in bytes (RFC 8259, section 7), decoded to bytes without a JavaScript string. The result equals that of JSON.parse in
 * UTF-8. WebAssembly code decodes 16 bytes at a time; its source, kernel/json-string.ts, describes its memory.
 *
 * @module
 */
import { JSON_STRING_CODE } from './json-string-code.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the position of the closing quote of a string whose content begins at `from`; -1 if the string is not closed. */
export function findStringEnd(line: Buffer, from: number): number {
  for (let quote = line.indexOf(QUOTE, from); quote >= 0; quote = line.indexOf(QUOTE, quote + 1)) {
    let escapes = quote;
    while (escapes > from && line[escapes - 1] === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote;
  }
  return -1;
}

/** Maximum length of a string between its quotes, in bytes. */
export const MAX_STRING_BYTES: number = 1024 * 1024;
/** Offsets in the memory of the code. */
const SOURCE = 1024;
const TARGET: number = SOURCE + MAX_STRING_BYTES + 1024;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  decode(length: number): number;
}

/** The part of the WebAssembly interface that is used; Node's types do not have it. */
interface Platform {
  readonly WebAssembly?: {
    readonly Module: new (code: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: object };
  };
}

/** Decodes strings, one after another, in the same memory. */
export class JsonStringDecoder {
  readonly #exports: Exports | undefined;
  readonly #source: Uint8Array;

  constructor() {
    this.#exports = instantiateCode();
    const buffer = this.#exports?.memory.buffer;
    this.#source = buffer === undefined ? new Uint8Array() : new Uint8Array(buffer, SOURCE, MAX_STRING_BYTES);
  }

  /**
   * Decodes the string between its quotes, from `start` to `end` in valid UTF-8. A lone surrogate becomes U+FFFD.
   *
   * @returns the bytes, valid until the next call; `undefined` if the string is not valid, or longer than {@link MAX_STRING_BYTES}, or
   *   WebAssembly is not available.
   */
  decode(line: Buffer, start: number, end: number): Uint8Array | undefined {
    const exports = this.#exports;
    if (exports === undefined || end - start > MAX_STRING_BYTES) return undefined;
    this.#source.set(line.subarray(start, end));
    const length = exports.decode(end - start);
    return length < 0 ? undefined : new Uint8Array(exports.memory.buffer, TARGET, length);
  }
}

/** Returns `undefined` if Node has no WebAssembly (`--jitless`), or the processor does not have its SIMD instructions. */
function instantiateCode(): Exports | undefined {
  const { WebAssembly } = globalThis as unknown as Platform;
  if (WebAssembly === undefined) return undefined;
  try {
    const module = new WebAssembly.Module(Buffer.from(JSON_STRING_CODE, 'base64'));
    return new WebAssembly.Instance(module).exports as Exports;
  } catch {
    return undefined;
  }
}
