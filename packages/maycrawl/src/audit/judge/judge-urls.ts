// The verdicts about all URLs of a run, for each of its crawlers.
import { timeSlices } from '@maycrawl/client/internal';
import type { AppliedDirective } from '@maycrawl/core/indexability';
import type { UrlRecord } from '../run/records/page.ts';
import { packReasons } from '../run/records/reasons.ts';
import type { RunStore } from '../run/run-store.ts';
import type { StoredVerdict } from '../run/tables/verdict-table.ts';
import type { EvidenceReader, Judged } from './evidence.ts';

/** Number of URLs whose verdicts are written in one transaction. */
const CHUNK = 1_000;

export interface JudgeObserver {
  /** Receives the evidence for each crawler about each URL that has a verdict. */
  readonly onEvidence: (url: UrlRecord, evidence: Judged) => void;
  /** Receives the number of URLs judged so far. */
  readonly onJudged: (count: number) => void;
}

/** Judges every URL that can be judged, and stores the verdicts in the run. @param agents - number of crawlers. */
export async function judgeUrls(
  run: RunStore,
  reader: EvidenceReader,
  agents: number,
  { onEvidence, onJudged }: JudgeObserver,
): Promise<void> {
  let verdicts: StoredVerdict[] = [];
  let judged = 0;
  const write = (): void => {
    run.verdicts.add(verdicts);
    verdicts = [];
    onJudged(judged);
  };
  for (const url of run.records()) {
    for (let agent = 0; agent < agents; agent++) {
      const evidence = reader.evidence(url, agent);
      if (evidence.kind === 'unjudged') continue;
      onEvidence(url, evidence);
      const { crawl, verdict, maskedReasons, noindex } = evidence;
      verdicts.push({
        key: url.key,
        agent,
        isAllowed: crawl.kind === 'allowed',
        reason: crawl.reason,
        line: crawl.line,
        isIndexable: verdict.indexable,
        reasons: verdict.indexable ? 0 : packReasons(verdict.reasons),
        maskedReasons: packReasons(maskedReasons),
        noindex: noindex.kind === 'seen' ? packOrigins(noindex.value) : 0,
      });
    }
    judged++;
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    if (judged % CHUNK === 0) write();
  }
  if (judged % CHUNK > 0) write();
}

/** Packs where directives are: 1 in an element, 2 in a header, 3 in both. */
function packOrigins(directives: readonly AppliedDirective[]): number {
  return directives.reduce((sum, { statement }) => sum | (statement.from === 'header' ? 2 : 1), 0);
}
