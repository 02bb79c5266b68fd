/**
 * Findings about pages whose scripts change what crawlers read: noindex, canonical, title, links.
 *
 * @module
 */
import {
  type CanonicalStatement,
  combineDirectives,
  type RobotsStatement,
} from '@maycrawl/core/indexability';
import { getOrigin } from '@maycrawl/core/url';
import { type BlockedFile, RuleQuotes } from '../judge/rule-quotes.ts';
import type { RunPolicies } from '../judge/run-policies.ts';
import type { Finding, Found } from '../run/records/finding.ts';
import type { Rendering, RenderOutcome } from '../run/records/rendering.ts';
import type { RunStore } from '../run/run-store.ts';
import { runsScripts } from '../run/script-crawlers.ts';

/** The crawler as which the run renders pages: files that robots.txt disallows to it are missing. */
const RENDERING_AGENT = 0;

/** Finds what the scripts of rendered pages change, for each crawler that may fetch the page. */
export function* findRenderingProblems(
  run: RunStore,
  agents: readonly string[],
  policies: RunPolicies,
  now: number,
): Generator<Finding> {
  const rules = new RuleQuotes(run);
  for (const rendering of run.renderings.list()) {
    const blocked = findBlocked(run, policies, rendering);
    const origin = getOrigin(run.url(rendering.key)?.url ?? '');
    const quote = rules.quote(blocked, origin);
    for (const [agent, name] of agents.entries()) {
      const verdict = run.verdicts.get(rendering.key, agent);
      if (verdict?.isAllowed !== true) continue;
      const hasNoindex = (robots: readonly RobotsStatement[]): boolean =>
        combineDirectives(robots, policies.crawler(agent), now).noindex.length > 0;
      for (const found of findInRendering(rendering, { agent, name, hasNoindex }))
        yield { ...found, agent, key: rendering.key };
      if (agent === RENDERING_AGENT && blocked.length > 0) {
        const targets = blocked.map(({ url }) => url);
        yield { code: 'rendered-resource-blocked', detail: quote, targets, agent, key: rendering.key };
      }
    }
  }
}

/** Finds the files that the rendered page lacks, without those that its HTML names, which are a finding of their own. */
function findBlocked(run: RunStore, policies: RunPolicies, { key, outcome }: Rendering): BlockedFile[] {
  if (outcome.kind === 'failure') return [];
  const named = new Set(
    run.blocked
      .findOn(key)
      .filter(({ resource }) => resource.lines.has(RENDERING_AGENT))
      .map(({ resource }) => resource.url),
  );
  const blocked: BlockedFile[] = [];
  for (const { url, why } of outcome.refused) {
    if (why !== 'robots' || named.has(url)) continue;
    const verdict = policies.decide(url, RENDERING_AGENT);
    blocked.push({ url, line: verdict?.kind === 'disallowed' ? verdict.line : 0 });
  }
  return blocked;
}

interface Crawler {
  readonly agent: number;
  readonly name: string;
  readonly hasNoindex: (robots: readonly RobotsStatement[]) => boolean;
}

function findInRendering({ outcome }: Rendering, crawler: Crawler): Found[] {
  if (outcome.kind === 'failure')
    // The site does not want the page to be rendered.
    return ['robots', 'own-robots'].includes(outcome.code)
      ? []
      : [{ code: 'not-rendered', detail: outcome.detail, targets: [] }];
  const { before, after, added, redirect } = outcome;
  // The title and the canonical of a page that is not indexed do not matter.
  const isOut = crawler.hasNoindex(before.robots);
  const found: Found[] = [...findNoindex(outcome, crawler), ...(isOut ? [] : findCanonical(outcome))];
  if (added.count > 0) found.push({ code: 'rendered-links-only', detail: null, targets: added.urls });
  if (redirect !== null) found.push({ code: 'rendered-redirect', detail: null, targets: [redirect] });
  if (!isOut && (before.title ?? '') !== (after.title ?? ''))
    found.push({ code: 'rendered-title-changed', detail: after.title || 'no title', targets: [] });
  return found;
}

type Rendered = Extract<RenderOutcome, { readonly kind: 'rendered' }>;

function findNoindex({ before, after }: Rendered, { name, hasNoindex }: Crawler): Found[] {
  const [had, has] = [hasNoindex(before.robots), hasNoindex(after.robots)];
  if (had && !has) return [{ code: 'rendered-noindex-removed', detail: null, targets: [] }];
  // Other crawlers do not see it.
  if (!had && has && runsScripts(name))
    return [{ code: 'rendered-noindex-added', detail: null, targets: [] }];
  return [];
}

function findCanonical({ before, after }: Rendered): Found[] {
  const [former, current] = [listUrls(before.canonicals), listUrls(after.canonicals)];
  if (former.join(' ') === current.join(' ')) return [];
  const added = current.filter((url) => !former.includes(url));
  return [
    {
      code: 'rendered-canonical-changed',
      detail: describeChange(former, current),
      targets: added.length === 0 ? former.filter((url) => !current.includes(url)) : added,
    },
  ];
}

function describeChange(former: readonly string[], current: readonly string[]): string {
  if (current.length > 1) return 'several different ones after the scripts';
  if (former.length === 0) return 'added';
  return current.length === 0 ? 'removed' : 'replaced';
}

/** The canonicals that have an effect, without repetition. */
function listUrls(statements: readonly CanonicalStatement[]): string[] {
  const urls = statements.flatMap(({ url, ignored }) => (ignored === null && url !== null ? url : []));
  return [...new Set(urls)].sort();
}
