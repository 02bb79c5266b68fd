// The findings in the record of a URL.
import type { UrlIndex } from '../../links/url-index.ts';
import type { Found } from '../../run/records/finding.ts';
import type { RunStore } from '../../run/run-store.ts';

/** Reads the findings of a run. With the numbers of its URLs it reads only those of URLs that have any, which are few. */
export class UrlFindings {
  readonly #run: RunStore;
  readonly #index: UrlIndex | null;
  /** 1 for each URL with findings, by its number. */
  readonly #marks: Uint8Array;

  constructor(run: RunStore, index: UrlIndex | null) {
    this.#run = run;
    this.#index = index;
    this.#marks = new Uint8Array(index?.count ?? 0);
    if (index !== null) for (const { key } of run.findings.keys()) this.#marks[index.find(key)] = 1;
  }

  /** The findings about a URL for a crawler. */
  report(key: number, agent: number): Found[] {
    if (this.#index !== null && this.#marks[this.#index.find(key)] === 0) return [];
    return this.#run.findings
      .ofUrl(key, agent)
      .map(({ code, detail, targets }) => ({ code, detail, targets }));
  }
}
