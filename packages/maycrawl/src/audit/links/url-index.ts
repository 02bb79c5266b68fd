// The URLs of a run as small numbers, which are indexes of arrays: twelve bytes per URL, independent of its length.

import { KEYS } from '../run/records/url-key.ts';
import type { ReportRows } from '../run/tables/report-rows.ts';
import { NO_DEPTH } from '../run/tables/rows.ts';

/** Numbers the keys of a run from 0, in their order. */
export class UrlIndex {
  readonly #keys: Float64Array;
  readonly #depths: Int32Array;

  constructor(rows: ReportRows) {
    this.#keys = new Float64Array(rows.countUrls());
    this.#depths = new Int32Array(this.#keys.length);
    let at = 0;
    for (const { key, depth } of rows.keysAndDepths()) {
      this.#keys[at] = key;
      this.#depths[at++] = depth;
    }
  }

  /** The number of URLs. */
  get count(): number {
    return this.#keys.length;
  }

  /** The key of a number. @throws {RangeError} for an unknown number. */
  getKey(number: number): number {
    const key = this.#keys[number];
    if (key === undefined) throw new RangeError(`there is no URL ${number}`);
    return key;
  }

  /** The stored depth of the URL with a number (run/rows.ts). */
  getDepth(number: number): number {
    return this.#depths[number] ?? NO_DEPTH;
  }

  /** The number of a key; -1 if the run does not contain it. */
  find(key: number): number {
    const keys = this.#keys;
    let [low, high] = [0, keys.length - 1];
    // Keys are consecutive numbers: interpolation search finds them with one or two guesses. In a damaged file binary search does.
    for (let guesses = 0; low <= high; guesses++) {
      const [first, last] = [keys[low] as number, keys[high] as number];
      if (key < first || key > last || key >= KEYS) return -1;
      const share = guesses < 4 && last > first ? (key - first) / (last - first) : 0.5;
      const middle = low + Math.floor(share * (high - low));
      const found = keys[middle] as number;
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
