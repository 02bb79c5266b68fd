// The findings in the record of a URL.
import { type IndexedLinks, LinkSources } from '../../findings/link-sources.ts';
import type { FindingLinks } from '../../run/records/finding.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { GradedFinding } from '../../run/tables/finding-table.ts';

/** A finding about a URL and a crawler. */
export interface ReportedFinding extends Pick<GradedFinding, 'code' | 'severity' | 'detail' | 'targets'> {
  /** The pages that link to the URL, if the finding is about these links; otherwise `null`. */
  readonly links: FindingLinks | null;
}

/** Reads the findings of a run. With its links it reads only those of URLs that have any, which are few. */
export class UrlFindings {
  readonly #run: RunStore;
  readonly #indexed: IndexedLinks | null;
  readonly #sources: LinkSources;
  /** 1 for each URL with findings, by its number. */
  readonly #marks: Uint8Array;

  /** @param indexed - the links; `null`: findings do not name pages that link to their URLs. */
  constructor(run: RunStore, indexed: IndexedLinks | null) {
    this.#run = run;
    this.#indexed = indexed;
    this.#sources = new LinkSources(run, indexed ?? undefined);
    const index = indexed?.index;
    this.#marks = new Uint8Array(index?.count ?? 0);
    if (index !== undefined) for (const { key } of run.findings.keys()) this.#marks[index.find(key)] = 1;
  }

  /** Whether a URL has findings for any crawler. */
  has(key: number): boolean {
    return this.#indexed === null || this.#marks[this.#indexed.index.find(key)] === 1;
  }

  /** The findings about a URL for a crawler. */
  report(key: number, agent: number): ReportedFinding[] {
    if (!this.has(key)) return [];
    return this.#run.findings.ofUrl(key, agent).map(({ code, severity, detail, targets }) => ({
      ...{ code, severity, detail, targets },
      links: this.#indexed === null ? null : this.#sources.find(code, key),
    }));
  }
}
