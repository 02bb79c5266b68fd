// Groups of URLs with the same change: counted for each crawler, because a sum over crawlers says nothing about any, and by folder. The
// memory does not depend on the number of URLs.
import { createHash, type Hash } from 'node:crypto';

/** Folders of a group that are counted; URLs of further ones are counted together. */
const MAX_FOLDERS = 1_000;
/** URLs of a group that are named. */
const MAX_EXAMPLES = 20;

/** Crawlers that are concerned by the same URLs of a group. */
export interface CrawlerCount {
  readonly agents: readonly string[];
  readonly urls: number;
}

/** URLs with the same change. */
export interface ChangeGroup {
  /** The most URLs first. */
  readonly crawlers: readonly CrawlerCount[];
  /** Different URLs, whatever the crawler. */
  readonly urls: number;
  /** The most URLs first: paths up to a slash, on other hosts than that of the audit with the host. */
  readonly folders: readonly { readonly folder: string; readonly urls: number }[];
  /** The first URLs. */
  readonly examples: readonly string[];
}

/** Collects the URLs of a group. Those of each crawler come in the same order. */
export class GroupCollector {
  readonly #host: string;
  readonly #agents: Map<string, { urls: number; readonly hash: Hash }> = new Map();
  readonly #folders: Map<string, number> = new Map();
  readonly #examples: string[] = [];
  #urls = 0;
  #last: string | undefined;
  /** The folder that contains all URLs. */
  #common: string | undefined;

  /** @param host - of the audit, with the port. */
  constructor(host: string) {
    this.#host = host;
  }

  /**
   * Adds a URL for a crawler.
   *
   * @param isCounted - whether it was added for another crawler. @defaultValue whether it is the last one that was added
   */
  add(url: string, agent: string, isCounted: boolean = url === this.#last): void {
    const known = this.#agents.get(agent) ?? { urls: 0, hash: createHash('sha256') };
    known.urls++;
    known.hash.update(`${url}\n`);
    this.#agents.set(agent, known);
    this.#last = url;
    if (isCounted) return;
    this.#urls++;
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push(url);
    const path = this.#getPath(url);
    this.#common = this.#common === undefined ? getFolder(path) : findCommonFolder(this.#common, path);
    const folder = getFirstFolder(path);
    const name = this.#folders.has(folder) || this.#folders.size < MAX_FOLDERS ? folder : '';
    this.#folders.set(name, (this.#folders.get(name) ?? 0) + 1);
  }

  /** Returns the number of URLs for a crawler. */
  count(agent: string): number {
    return this.#agents.get(agent)?.urls ?? 0;
  }

  finish(): ChangeGroup {
    const crawlers = new Map<string, { agents: string[]; urls: number }>();
    for (const [agent, { urls, hash }] of this.#agents) {
      const key = hash.copy().digest('hex');
      const same = crawlers.get(key) ?? { agents: [], urls };
      same.agents.push(agent);
      crawlers.set(key, same);
    }
    const common = this.#common ?? '';
    const folders =
      common.indexOf('/') === common.length - 1
        ? [...this.#folders].map(([folder, urls]) => ({ folder, urls }))
        : [{ folder: common, urls: this.#urls }];
    return {
      crawlers: [...crawlers.values()].sort((a, b) => b.urls - a.urls),
      urls: this.#urls,
      folders: folders.sort((a, b) => b.urls - a.urls || (a.folder < b.folder ? -1 : 1)),
      examples: this.#examples,
    };
  }

  #getPath(url: string): string {
    const { host, pathname } = new URL(url);
    return host === this.#host ? pathname : `${host}${pathname}`;
  }
}

/** The path up to the last slash. */
function getFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The path up to the slash after its first segment: `/blog/`, or `/` for a file beside the home page. */
function getFirstFolder(path: string): string {
  const from = path.indexOf('/') + 1;
  const end = path.indexOf('/', from);
  return path.slice(0, end < 0 ? from : end + 1);
}

/** The longest folder that contains a path and another folder; empty if their hosts differ. */
function findCommonFolder(folder: string, path: string): string {
  let common = folder;
  while (!path.startsWith(common)) {
    const slash = common.slice(0, -1).lastIndexOf('/');
    common = common.slice(0, slash + 1);
  }
  return common;
}
