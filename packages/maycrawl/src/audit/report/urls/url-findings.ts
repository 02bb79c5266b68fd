// The findings in the record of a URL.
import type { UrlIndex } from '../../links/url-index.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { GradedFinding } from '../../run/tables/finding-table.ts';

/** A finding in a record. */
export type ReportedFinding = Pick<GradedFinding, 'code' | 'severity' | 'detail' | 'targets'>;

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
  report(key: number, agent: number): ReportedFinding[] {
    if (this.#index !== null && this.#marks[this.#index.find(key)] === 0) return [];
    return this.#run.findings
      .ofUrl(key, agent)
      .map(({ code, severity, detail, targets }) => ({ code, severity, detail, targets }));
  }
}
