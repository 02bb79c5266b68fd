// Stores the findings of a run: each with a severity, and only those that concern their crawler.
import { timeSlices } from '@maycrawl/client/internal';
import { isIndexingCrawler } from '../run/indexing-crawlers.ts';
import type { Finding } from '../run/records/finding.ts';
import type { RunStore } from '../run/run-store.ts';
import { getSettings } from '../run/settings.ts';
import type { GradedFinding } from '../run/tables/finding-table.ts';
import { FINDING_KINDS, type FindingCode, getSeverity } from './finding-kinds.ts';

/** Number of findings that are written in one transaction. */
const CHUNK = 1_000;

export class FindingWriter {
  readonly #run: RunStore;
  /** For each crawler whether it indexes pages. */
  readonly #isIndexing: readonly boolean[];

  constructor(run: RunStore) {
    this.#run = run;
    this.#isIndexing = getSettings(run).agents.map(isIndexingCrawler);
  }

  /** Adds findings in one transaction. */
  add(findings: readonly Finding[]): void {
    this.#run.findings.add(findings.flatMap((finding) => this.#grade(finding) ?? []));
  }

  /** Adds findings while they are found. */
  async addAll(found: Iterable<Finding>): Promise<void> {
    const findings: Finding[] = [];
    for (const finding of found) {
      findings.push(finding);
      if (findings.length >= CHUNK) this.add(findings.splice(0));
      if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    }
    this.add(findings);
  }

  /** Adds the findings of all kinds that have a query. @param isComplete - whether the run is. */
  addQueries(isComplete: boolean): void {
    for (const [code, { query }] of Object.entries(FINDING_KINDS)) {
      if (query === undefined || (query.needsCompleteRun && !isComplete)) continue;
      for (const [agent, isIndexing] of this.#isIndexing.entries()) {
        const severity = getSeverity(code as FindingCode, isIndexing);
        if (severity !== null) this.#run.findings.addByQuery(code, agent, severity, query);
      }
    }
  }

  #grade(finding: Finding): GradedFinding | null {
    const isIndexing = this.#isIndexing[finding.agent] ?? true;
    const severity = getSeverity(finding.code as FindingCode, isIndexing);
    if (severity === null) return null;
    return { ...finding, severity: isIndexing ? (finding.severity ?? severity) : severity };
  }
}
