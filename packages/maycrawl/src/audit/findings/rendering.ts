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
import type { RunPolicies } from '../judge/run-policies.ts';
import type { Finding, Found } from '../run/records/finding.ts';
import type { Rendering, RenderOutcome } from '../run/records/rendering.ts';
import { runsScripts } from '../run/script-crawlers.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';

/** The crawler as which the run renders pages: files that robots.txt disallows to it are missing. */
const RENDERING_AGENT = 0;

/** Finds what the scripts of rendered pages change, for each crawler that may fetch the page. */
export async function* findRenderingProblems(
  run: SqliteRun,
  agents: readonly string[],
  policies: RunPolicies,
  now: number,
): AsyncGenerator<Finding> {
  for (const rendering of run.renderings()) {
    // Those that the HTML names are a finding of their own.
    const uses = run.blocked
      .findOn(rendering.key)
      .filter(({ resource }) => resource.lines.has(RENDERING_AGENT));
    const named = new Set(uses.map(({ resource }) => resource.url));
    for (const [agent, name] of agents.entries()) {
      const verdict = await run.verdict(rendering.key, agent);
      if (verdict?.isAllowed !== true) continue;
      const hasNoindex = (robots: readonly RobotsStatement[]): boolean =>
        combineDirectives(robots, policies.crawler(agent), now).noindex.length > 0;
      for (const found of findInRendering(rendering, { agent, name, hasNoindex }, named))
        yield { ...found, agent, key: rendering.key };
    }
  }
}

interface Crawler {
  readonly agent: number;
  readonly name: string;
  readonly hasNoindex: (robots: readonly RobotsStatement[]) => boolean;
}

/** @param named - the disallowed files that the HTML of the page names. */
function findInRendering({ outcome }: Rendering, crawler: Crawler, named: ReadonlySet<string>): Found[] {
  if (outcome.kind === 'failure') return [{ code: 'not-rendered', detail: outcome.detail, targets: [] }];
  const { before, after, added, redirect, refused } = outcome;
  const found: Found[] = [...findNoindex(outcome, crawler), ...findCanonical(outcome)];
  if (added.count > 0) found.push({ code: 'rendered-links-only', detail: null, targets: added.urls });
  if (redirect !== null) found.push({ code: 'rendered-redirect', detail: null, targets: [redirect] });
  const blocked = refused.filter(({ url, why }) => why === 'robots' && !named.has(url)).map(({ url }) => url);
  if (blocked.length > 0 && crawler.agent === RENDERING_AGENT)
    found.push({ code: 'rendered-resource-blocked', detail: null, targets: blocked });
  if ((before.title ?? '') !== (after.title ?? ''))
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
  const detail = former.length === 0 ? 'added' : current.length === 0 ? 'removed' : 'replaced';
  return [{ code: 'rendered-canonical-changed', detail, targets: current.length === 0 ? former : current }];
}

/** The canonicals that have an effect, without repetition. */
function listUrls(statements: readonly CanonicalStatement[]): string[] {
  const urls = statements.flatMap(({ url, ignored }) => (ignored === null && url !== null ? url : []));
  return [...new Set(urls)].sort();
}
