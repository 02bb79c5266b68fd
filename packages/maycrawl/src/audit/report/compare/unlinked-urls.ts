// URLs that were indexable and that neither links nor sitemaps name any more: each run has those of its baseline that are still missing,
// so that a later run can report their end.
import type { RunStore } from '../../run/run-store.ts';

/** The fact about a run. */
const FACT = 'unlinked';
/** URLs that a run has; the end of further ones is not reported. */
const MAX_URLS = 10_000;

/** The missing URLs, with the crawlers for which they were indexable. */
export class UnlinkedUrls {
  readonly #urls: Map<string, readonly string[]>;

  /** @param run - the baseline. */
  constructor(run: RunStore) {
    this.#urls = new Map(
      Object.entries((run.get(FACT) ?? {}) as Readonly<Record<string, readonly string[]>>),
    );
  }

  /** Adds a URL that is missing now. */
  add(url: string, agent: string): void {
    const agents = this.#urls.get(url) ?? [];
    if (agents.length > 0 || this.#urls.size < MAX_URLS) this.#urls.set(url, [...agents, agent]);
  }

  /** Removes a URL that is indexable for a crawler. @returns whether it was missing for this crawler. */
  remove(url: string, agent: string): boolean {
    const agents = this.#urls.get(url);
    if (agents === undefined || !agents.includes(agent)) return false;
    const others = agents.filter((each) => each !== agent);
    if (others.length > 0) this.#urls.set(url, others);
    else this.#urls.delete(url);
    return true;
  }

  /** Writes the missing URLs to a run, the baseline of the next one. */
  write(run: RunStore): void {
    run.set(FACT, Object.fromEntries(this.#urls));
  }
}
