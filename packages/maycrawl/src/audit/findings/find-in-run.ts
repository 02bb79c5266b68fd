/**
 * The findings of a judged run: what is wrong with its URLs, for each of its crawlers.
 *
 * @module
 */
import { timeSlices } from '@maycrawl/client/event-loop';
import type { EvidenceReader, Judged } from '../judge/evidence.ts';
import type { RunPolicies } from '../judge/run-policies.ts';
import { UrlIndex } from '../links/url-index.ts';
import type { Finding } from '../run/records/finding.ts';
import type { RunStore } from '../run/run-store.ts';
import { getEnd, getSettings } from '../run/settings.ts';
import { findAlternateProblems } from './alternates.ts';
import { findCanonicalProblems } from './canonicals.ts';
import { findUnreached } from './reach.ts';
import { findRedirectProblems } from './redirects.ts';
import { findRenderingProblems } from './rendering.ts';
import { findSoft404s } from './soft-404.ts';
import { TargetJudge } from './target-judge.ts';

/** Number of URLs whose findings are written in one transaction. */
const CHUNK = 1_000;

/** Whether the findings about a URL need the evidence about other URLs, which is complete only after all verdicts. */
export function dependsOnOthers({ redirects, canonical }: Judged): boolean {
  if (redirects.kind === 'seen' && redirects.value.length > 0) return true;
  if (canonical.kind !== 'seen') return false;
  const { kind, statements } = canonical.value;
  return kind === 'other' || kind === 'conflict' || statements.some(({ ignored }) => ignored !== null);
}

/**
 * Finds all problems, and stores them in the run.
 *
 * @param keys - of the URLs that {@link dependsOnOthers} applies to.
 * @param now - milliseconds since 1970.
 */
export async function findInRun(
  run: RunStore,
  reader: EvidenceReader,
  policies: RunPolicies,
  keys: Iterable<number>,
  now: number,
): Promise<void> {
  const { agents: names, render } = getSettings(run);
  const agents = names.length;
  const index = new UrlIndex(run.rows);
  const targets = new TargetJudge(run, reader);
  const findings: Finding[] = [];
  for (const key of keys) {
    const record = run.rows.record(key);
    if (record === undefined) continue;
    for (let agent = 0; agent < agents; agent++) {
      const evidence = reader.evidence(record, agent);
      if (evidence.kind === 'unjudged') continue;
      const found = [
        ...findRedirectProblems(evidence, agent, targets),
        ...findCanonicalProblems(evidence, agent, targets),
      ];
      findings.push(...found.map((each) => ({ ...each, agent, key })));
    }
    if (findings.length >= CHUNK) run.findings.add(findings.splice(0));
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
  }
  run.findings.add(findings.splice(0));
  for (const search of [findSoft404s(run, policies, agents), findAlternateProblems(run, index, agents)]) {
    for await (const finding of search) {
      findings.push(finding);
      if (findings.length >= CHUNK) run.findings.add(findings.splice(0));
    }
    run.findings.add(findings.splice(0));
  }
  if (render)
    for (const finding of findRenderingProblems(run, names, policies, now)) {
      findings.push(finding);
      if (findings.length >= CHUNK) run.findings.add(findings.splice(0));
    }
  run.findings.add(findings.splice(0));
  const isComplete = getEnd(run)?.why === 'complete';
  run.findings.addDerived(isComplete);
  // A page that was not fetched could link to them.
  if (isComplete) run.findings.add(findUnreached(run, index, names));
}
