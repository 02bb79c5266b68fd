/**
 * The verdicts about all URLs of a run, for each of its crawlers.
 *
 * @module
 */
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import { dependsOnOthers, findInRun } from '../findings/find-in-run.ts';
import type { StoredVerdict } from '../run/run-store.ts';
import { getSettings, setJudged } from '../run/settings.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';
import { EvidenceReader } from './evidence.ts';
import { RunPolicies } from './run-policies.ts';

/** Number of URLs whose verdicts are written in one transaction. */
const CHUNK = 1_000;

/** Packs reasons into a number: the sum of 2^i for each, with its index i in REASONS. */
export function packReasons(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, reason) => sum | (1 << REASONS.indexOf(reason)), 0);
}

/** Unpacks reasons, the primary one first. */
export function unpackReasons(sum: number): Reason[] {
  return REASONS.filter((_, index) => (sum & (1 << index)) !== 0);
}

/**
 * Judges every URL that can be judged, and stores the verdicts and findings in the run.
 *
 * @param now - milliseconds since 1970.
 * @param onJudged - receives the number of URLs judged so far.
 */
export async function judgeRun(
  run: SqliteRun,
  now: number,
  onJudged: (count: number) => void = () => {},
): Promise<void> {
  const { agents, profile } = await getSettings(run);
  const reader = new EvidenceReader(run, new RunPolicies(run, agents, profile), now);
  await setJudged(run, null);
  await run.clearVerdicts();
  let verdicts: StoredVerdict[] = [];
  let judged = 0;
  /** URLs whose findings follow when all are judged. */
  const dependent = new Set<number>();
  const write = async (): Promise<void> => {
    await run.putVerdicts(verdicts);
    verdicts = [];
    onJudged(judged);
  };
  for (const url of run.records()) {
    for (const agent of agents.keys()) {
      const evidence = await reader.evidence(url, agent);
      if (evidence.kind === 'unjudged') continue;
      if (dependsOnOthers(evidence)) dependent.add(url.key);
      const { crawl, verdict, hidden } = evidence;
      verdicts.push({
        key: url.key,
        agent,
        isAllowed: crawl.kind === 'allowed',
        reason: crawl.reason,
        line: crawl.line,
        isIndexable: verdict.indexable,
        reasons: verdict.indexable ? 0 : packReasons(verdict.reasons),
        hidden: packReasons(hidden),
      });
    }
    judged++;
    if (judged % CHUNK === 0) await write();
  }
  if (judged % CHUNK > 0) await write();
  await findInRun(run, reader, agents.length, dependent);
  await setJudged(run, now);
}
