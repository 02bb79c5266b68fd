/**
 * What a crawl found out about a site with one request: it is claimed before the request, and stored with the run after it.
 *
 * @module
 */
import type { RunStore } from '../run-store.ts';

/** A kind of facts about sites. */
export class SiteFacts<Fact> {
  readonly #name: string;

  /** @param name - of the fact, as the run stores it: `NAME of ORIGIN`. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Returns whether the request to a site was claimed. */
  async isClaimed(run: RunStore, origin: string): Promise<boolean> {
    return (await run.get(this.#getKey(origin))) !== undefined;
  }

  /** Claims the request to a site. @returns `false` if this run has claimed it before. */
  claim(run: RunStore, origin: string): Promise<boolean> {
    return run.setIfAbsent(this.#getKey(origin), null);
  }

  /** Stores the fact about a site. */
  set(run: RunStore, origin: string, fact: Fact): Promise<void> {
    return run.set(this.#getKey(origin), fact);
  }

  /** Returns the fact about a site; `null` if nothing was requested. */
  async get(run: RunStore, origin: string): Promise<Fact | null> {
    return ((await run.get(this.#getKey(origin))) as Fact | null | undefined) ?? null;
  }

  #getKey(origin: string): string {
    return `${this.#name} of ${origin}`;
  }
}
