// Evaluates a run after its crawl: a verdict about each URL for each crawler, and what is wrong with the URLs.
import { dependsOnOthers, findInRun } from './findings/find-in-run.ts';
import { FindingWriter } from './findings/finding-writer.ts';
import { findPreferences } from './findings/preferences/find-preferences.ts';
import { EvidenceReader } from './judge/evidence.ts';
import { judgeUrls } from './judge/judge-urls.ts';
import { RunPolicies } from './judge/run-policies.ts';
import type { RunStore } from './run/run-store.ts';
import { getSettings, judgedAt, setJudged } from './run/settings.ts';

/**
 * Evaluates a run, and stores verdicts and findings in it in place of earlier ones.
 *
 * @param now - milliseconds since 1970.
 * @param onJudged - receives the number of URLs judged so far.
 */
export async function evaluateRun(
  run: RunStore,
  now: number,
  onJudged: (count: number) => void = () => {},
): Promise<void> {
  const { agents, profile } = getSettings(run);
  const policies = new RunPolicies(run, agents, profile);
  const reader = new EvidenceReader(run, policies, now);
  setJudged(run, null);
  run.verdicts.clear();
  run.findings.clear();
  run.preferences.clear();
  /** URLs whose findings need the verdicts about others. */
  const dependent = new Set<number>();
  await judgeUrls(run, reader, agents.length, {
    onEvidence: ({ key }, evidence) => {
      if (dependsOnOthers(evidence)) dependent.add(key);
    },
    onJudged,
  });
  const writer = new FindingWriter(run);
  await findInRun(run, writer, reader, policies, dependent, now);
  await findPreferences(run, writer, policies, agents.length);
  setJudged(run, now);
}

/** Evaluates a run that has no verdicts and findings about its current URLs, such as one that was interrupted. */
export async function evaluateIfNeeded(run: RunStore, now: number): Promise<void> {
  if (judgedAt(run) !== null) return;
  run.settleDepths();
  await evaluateRun(run, now);
}
