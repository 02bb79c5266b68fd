// Limits of the lists in a JSON report. A file of 255,000 colons has as many diagnostics, whose JSON is 80 times as long as the file.
import { freezeDeep } from '@maycrawl/core/internal';

export interface ListLimits {
  /** Items of all lists together. */
  readonly items: number;
  /** Characters of all items together, as JSON. */
  readonly chars: number;
}

/** No limits. Only for lists that are not longer than the file. */
export const ALL: ListLimits = { items: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY };
/** For the output of the command. */
export const OUTPUT_LISTS: ListLimits = { items: 100_000, chars: 64 * 1024 * 1024 };
/** For responses of the service. */
export const RESPONSE_LISTS: ListLimits = /* @__PURE__ */ freezeDeep({
  items: 10_000,
  chars: 2 * 1024 * 1024,
});

/** Takes items for the lists of one report until a limit is reached. */
export class BoundedLists {
  readonly #limits: ListLimits;
  #items = 0;
  #chars = 0;
  #isTruncated = false;

  constructor(limits: ListLimits) {
    this.#limits = limits;
  }

  /** Whether a list lacks items. After that all further lists stay empty. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** Returns the first items, as many as the limits allow. */
  take<T>(all: Iterable<T>): T[] {
    const { items, chars } = this.#limits;
    if (items === Number.POSITIVE_INFINITY) return [...all];
    const taken: T[] = [];
    for (const item of all) {
      this.#items++;
      this.#chars += JSON.stringify(item).length;
      this.#isTruncated ||= this.#items > items || this.#chars > chars;
      if (this.#isTruncated) break;
      taken.push(item);
    }
    return taken;
  }
}
