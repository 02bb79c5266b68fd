// The versions of a robots.txt over time, as its server sent them.

/** A version of a robots.txt. */
export interface Version {
  /** The name in reports: a number of the monitor, the time of a file of a folder, or the name of a file. */
  readonly name: string;
  /** The time from which it was served, in milliseconds since 1970; `-Infinity` for a file that was always served. */
  readonly from: number;
  /** The content. A site without a file has an empty one, which restricts nothing. */
  readonly body: Uint8Array;
}

/** The versions that were served in an interval. */
export interface ServedVersions {
  /** The oldest one first. */
  readonly versions: readonly Version[];
  /** Whether the versions of the whole interval are there. */
  readonly isComplete: boolean;
}

/** All versions of one site. Before the first of them, what the site served is unknown. */
export class Timeline {
  readonly #versions: readonly Version[];

  /** @param versions - in any order. Of those with the same time, the last one counts. */
  constructor(versions: Iterable<Version>) {
    const byTime = new Map([...versions].map((version) => [version.from, version]));
    this.#versions = [...byTime.values()].sort((a, b) => (a.from < b.from ? -1 : 1));
  }

  /** The oldest one first. */
  get versions(): readonly Version[] {
    return this.#versions;
  }

  /** Returns the version that was served at a time in milliseconds since 1970; `undefined` if it is unknown. */
  getAt(time: number): Version | undefined {
    return this.#versions[this.#findIndex(time)];
  }

  /** Returns the versions that were served from one time to another one, both included. */
  getBetween(from: number, to: number): ServedVersions {
    const [first, last] = [this.#findIndex(from), this.#findIndex(to)];
    return { versions: this.#versions.slice(Math.max(first, 0), last + 1), isComplete: first >= 0 };
  }

  /** The index of the last version that is not after a time; -1 if all are. */
  #findIndex(time: number): number {
    let [low, high] = [0, this.#versions.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#versions[middle]?.from ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
