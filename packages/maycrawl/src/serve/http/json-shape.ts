// Checks the nesting depth and the number of values of JSON text before it is parsed: both make `JSON.parse` slow (eight million
// opening brackets take a second), and no route needs many of them.
import { Problem } from './problems.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

export interface JsonShapeLimits {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Members of all arrays and objects together. */
  readonly values: number;
}

/** Scans JSON text while its bytes arrive. It does not validate: the parser refuses text that is not JSON. */
export class JsonShape {
  readonly #limits: JsonShapeLimits;
  #depth = 0;
  #values = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: JsonShapeLimits) {
    this.#limits = limits;
  }

  /** @throws {Problem} if the text is nested too deeply, or has too many values. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) this.#isInString = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (++this.#depth > this.#limits.depth)
          throw new Problem('invalid-json', `the JSON is nested deeper than ${this.#limits.depth} levels`);
        this.#values++;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
      else if (byte === COMMA) this.#values++;
    }
    const { values } = this.#limits;
    // Checking once per chunk is enough: chunks are small.
    if (this.#values > values) throw new Problem('invalid-json', `the JSON has more than ${values} values`);
  }
}
