/**
 * Lists in answers over HTTP, cut where they would become too large: a file of 255,000 colons has as many diagnostics, which take 80
 * times as much as the file.
 *
 * @module
 */

/** What the lists of one answer may hold. */
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
export const ANSWER_LISTS: ListLimits = { items: 10_000, chars: 2 * 1024 * 1024 };

/** Takes items for the lists of one answer, as long as there is room. */
export class BoundedLists {
  readonly #limits: ListLimits;
  #items = 0;
  #chars = 0;
  #isCut = false;

  constructor(limits: ListLimits) {
    this.#limits = limits;
  }

  /** Whether a list lacks items. After that all further lists stay empty. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** As many of the first items as there is room for. */
  take<T>(all: Iterable<T>): T[] {
    const { items, chars } = this.#limits;
    if (items === Number.POSITIVE_INFINITY) return [...all];
    const taken: T[] = [];
    for (const item of all) {
      this.#items++;
      this.#chars += JSON.stringify(item).length;
      this.#isCut ||= this.#items > items || this.#chars > chars;
      if (this.#isCut) break;
      taken.push(item);
    }
    return taken;
  }
}
