// Stored lists of addresses by crawler and day. The list that is valid at a time is the newest of a day that is not after it.
import type { ParsedAddress } from './address.ts';
import { type ListedPrefix, parseRangeFile, RangeFileError } from './range-file.ts';
import { type ListFile, listRangeFiles, readListFile } from './range-folder.ts';
import { RangeSet } from './range-set.ts';

/** Prefixes of all different lists together. */
const MAX_STORED = 2_000_000;

/** A list of a crawler. */
export interface StoredList {
  readonly crawler: string;
  /** The day from which it is valid (UTC), such as `2026-11-01`. */
  readonly day: string;
  /** The start of the day in milliseconds since 1970. */
  readonly time: number;
  /** When its operator created it, in milliseconds since 1970; `null` if it does not say it. */
  readonly creationTime: number | null;
  readonly ranges: RangeSet<ListedPrefix>;
}

/**
 * What lists say about an address at a time. `inside`, `outside`: of the list that was valid. `no-list`: the time is before the first list,
 * or there is none.
 */
export type RangeResult = 'inside' | 'outside' | 'no-list';

/** The lists of one crawler. */
export class CrawlerRanges {
  readonly #lists: readonly StoredList[];
  /** Requests are in the order of time, so that the next one has the same list. */
  #last = 0;

  /** @param lists - sorted by day. */
  constructor(lists: readonly StoredList[]) {
    this.#lists = lists;
  }

  /** Checks an address. @param time - of the request, in milliseconds since 1970. */
  check(address: ParsedAddress, time: number): RangeResult {
    const list = this.find(time);
    if (list === undefined) return 'no-list';
    return list.ranges.has(address) ? 'inside' : 'outside';
  }

  /** Finds the list that was valid at a time. */
  find(time: number): StoredList | undefined {
    const last = this.#lists[this.#last];
    const next = this.#lists[this.#last + 1];
    if (last !== undefined && last.time <= time && (next === undefined || time < next.time)) return last;
    let [low, high] = [0, this.#lists.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lists[middle] as StoredList).time <= time) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return undefined;
    this.#last = low - 1;
    return this.#lists[low - 1];
  }
}

/** Stored lists of all crawlers. */
export class RangeStore {
  readonly lists: readonly StoredList[];
  readonly #crawlers: ReadonlyMap<string, CrawlerRanges>;

  /** @param lists - in any order. */
  constructor(lists: readonly StoredList[]) {
    this.lists = [...lists].sort((a, b) => a.time - b.time);
    const byCrawler = new Map<string, StoredList[]>();
    for (const list of this.lists) {
      const key = list.crawler.toLowerCase();
      const own = byCrawler.get(key);
      if (own === undefined) byCrawler.set(key, [list]);
      else own.push(list);
    }
    this.#crawlers = new Map([...byCrawler].map(([key, own]) => [key, new CrawlerRanges(own)]));
  }

  /** Returns the lists of a crawler. @param crawler - its name, regardless of case. @returns `undefined` if there are none. */
  get(crawler: string): CrawlerRanges | undefined {
    return this.#crawlers.get(crawler.toLowerCase());
  }
}

/**
 * Reads all lists of a folder. Equal lists are stored once.
 *
 * @throws {RangeFileError} if the folder or one of its lists cannot be read. The message names crawler and day.
 */
export async function readRangeStore(folder: string): Promise<RangeStore> {
  const parsed = new Map<string, Pick<StoredList, 'creationTime' | 'ranges'>>();
  const lists: StoredList[] = [];
  let prefixes = 0;
  for (const file of await listRangeFiles(folder)) {
    const { bytes, digest } = await readListFile(file);
    const key = `${file.format} ${digest}`;
    let list = parsed.get(key);
    if (list === undefined) {
      list = parseList(file, bytes);
      parsed.set(key, list);
      prefixes += list.ranges.size;
      if (prefixes > MAX_STORED)
        throw new RangeFileError('too-many-prefixes', `the lists have more than ${MAX_STORED} prefixes`);
    }
    lists.push({ crawler: file.crawler, day: file.day, time: Date.parse(file.day), ...list });
  }
  return new RangeStore(lists);
}

function parseList(
  { crawler, day, format }: ListFile,
  bytes: Uint8Array,
): Pick<StoredList, 'creationTime' | 'ranges'> {
  try {
    const { creationTime, prefixes } = parseRangeFile(bytes, format);
    return { creationTime, ranges: new RangeSet(prefixes) };
  } catch (error) {
    if (!(error instanceof RangeFileError)) throw error;
    throw new RangeFileError(error.code, `the list of ${crawler} of ${day}: ${error.message}`, {
      cause: error,
    });
  }
}
