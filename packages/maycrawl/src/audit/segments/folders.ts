// Folders of URLs, and which of them have the most URLs.

/** Folders that are counted. A hostile site has a folder for each page. */
const MAX_FOLDERS = 200_000;
/** Folders of a table. */
const MAX_LISTED = 20;
const MIN_SHARE = 0.01;
/** URLs of a listed folder, at least: small sites have folders with a single page. */
const MIN_URLS = 2;

/**
 * Returns the folder of a URL at a depth: `https://example.com/a/` at depth 1. Depth 0 is the root of the origin.
 *
 * @returns `undefined` if the URL is not in a folder of this depth.
 */
export function getFolder(url: string, depth: number): string | undefined {
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  let at = url.indexOf('/', url.indexOf('//') + 2);
  for (let left = depth; left > 0 && at >= 0; left--) at = url.indexOf('/', at + 1);
  return at < 0 || at >= end ? undefined : url.slice(0, at + 1);
}

/** Counts the URLs of folders. */
export class FolderCounter {
  /** Depth of the deepest folders. */
  static readonly MAX_DEPTH = 3;
  readonly #counts: Map<string, number> = new Map();
  #total = 0;

  add(url: string): void {
    this.#total++;
    for (let depth = 0; depth <= FolderCounter.MAX_DEPTH; depth++) {
      const folder = getFolder(url, depth);
      if (folder === undefined) return;
      const count = this.#counts.get(folder);
      if (count === undefined && this.#counts.size >= MAX_FOLDERS) return;
      this.#counts.set(folder, (count ?? 0) + 1);
    }
  }

  /** Returns the folders with the most URLs, in alphabetical order. */
  getLargest(): string[] {
    const least = Math.max(MIN_URLS, this.#total * MIN_SHARE);
    const large = [...this.#counts].filter(
      ([folder, count]) => count >= least || getFolder(folder, 1) === undefined,
    );
    return large
      .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .slice(0, MAX_LISTED)
      .map(([folder]) => folder)
      .sort();
  }
}
