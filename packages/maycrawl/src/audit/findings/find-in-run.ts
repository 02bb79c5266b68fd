// The findings of a judged run: what is wrong with its URLs, for each of its crawlers.
import type { EvidenceReader, Judged } from '../judge/evidence.ts';
import type { RunPolicies } from '../judge/run-policies.ts';
import { countInLinks } from '../links/count-in-links.ts';
import { UrlIndex } from '../links/url-index.ts';
import type { Finding } from '../run/records/finding.ts';
import type { RunStore } from '../run/run-store.ts';
import { getEnd, getSettings } from '../run/settings.ts';
import { findBrokenLinks, findBrokenResources } from './broken-urls.ts';
import type { FindingWriter } from './finding-writer.ts';
import { findUnreached } from './reach.ts';
import { findRenderingProblems } from './rendering.ts';
import { findBlockedResources } from './resources.ts';
import { findSiteProblems } from './site-parts/site-problems.ts';
import { findSitemapProblems } from './sitemaps.ts';
import { findSoft404s } from './soft-404.ts';
import { findAlternateProblems } from './targets/alternates.ts';
import { findCanonicalProblems } from './targets/canonicals.ts';
import { findRedirectProblems } from './targets/redirects.ts';
import { TargetJudge } from './targets/target-judge.ts';
import { findHostVariants } from './variants/host-variants.ts';
import { findEndlessUrls, findVariants, isPageOfSeries } from './variants/url-variants.ts';

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
  writer: FindingWriter,
  reader: EvidenceReader,
  policies: RunPolicies,
  keys: Iterable<number>,
  now: number,
): Promise<void> {
  const { agents, render } = getSettings(run);
  // First, because it adds the URLs of sitemaps to the run.
  await writer.addAll(findSitemapProblems(run, agents.length));
  const index = new UrlIndex(run.rows);
  run.findings.setLinks(countInLinks(run.rows, index));
  await writer.addAll(findSiteProblems(run, agents));
  await writer.addAll(findBlockedResources(run, policies, agents.length));
  await writer.addAll(findBrokenLinks(run, agents.length));
  await writer.addAll(findBrokenResources(run, agents.length));
  await writer.addAll(findTargetProblems(run, reader, keys, agents.length));
  await writer.addAll(findVariants(run, agents.length));
  await writer.addAll(findEndlessUrls(run, policies, agents.length));
  await writer.addAll(findSoft404s(run, policies, agents.length));
  await writer.addAll(findHostVariants(run, policies, agents.length));
  await writer.addAll(findAlternateProblems(run, index, agents.length));
  if (render) await writer.addAll(findRenderingProblems(run, agents, policies, now));
  const isComplete = getEnd(run)?.reason === 'complete';
  writer.addQueries(isComplete);
  // A page that was not fetched could link to them.
  if (isComplete) await writer.addAll(findUnreached(run, index, agents));
}

/** Finds what is wrong with redirects and canonicals. */
function* findTargetProblems(
  run: RunStore,
  reader: EvidenceReader,
  keys: Iterable<number>,
  agents: number,
): Generator<Finding> {
  const targets = new TargetJudge(run, reader);
  for (const key of keys) {
    const record = run.rows.record(key);
    if (record === undefined) continue;
    for (let agent = 0; agent < agents; agent++) {
      const evidence = reader.evidence(record, agent);
      if (evidence.kind === 'unjudged') continue;
      for (const find of [findRedirectProblems, findCanonicalProblems])
        for (const found of find(evidence, agent, targets)) yield { ...found, agent, key };
      const { canonical } = evidence;
      if (canonical.kind !== 'seen' || canonical.value.kind !== 'other') continue;
      const { url } = canonical.value;
      if (evidence.verdict.indexable || !isPageOfSeries(record.url, url)) continue;
      yield { code: 'page-of-series-canonicalised', detail: null, targets: [url], agent, key };
    }
  }
}
