// Findings about pages whose scripts change what crawlers read: noindex, canonical, title, links.
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

/** Kinds about what scripts change. */
export const RENDERING_KINDS = {
  'rendered-noindex-added': {
    severity: 'error',
    rank: 150,
    about: 'indexing',
    one: '1 page has noindex only after its scripts have run',
    many: '# pages have noindex only after their scripts have run',
    sentence: 'Has noindex only after its scripts have run.',
    cost: 'Crawlers that run scripts do not index it, and others do not see the noindex.',
    action:
      'If noindex is intended, send it in the HTML or in a header. Otherwise find the script that adds it.',
    decision:
      'The HTML and the headers of the page have no noindex that applies to the crawler, which runs scripts; after the scripts of the page it has one.',
    example: 'document.head.append(robotsMetaWithNoindex)',
    source: 'script',
  },
  'rendered-noindex-removed': {
    severity: 'error',
    rank: 160,
    about: 'indexing',
    one: 'Scripts remove the noindex of 1 page',
    many: 'Scripts remove the noindex of # pages',
    sentence: 'Its scripts remove its noindex.',
    cost: 'Google may skip the scripts of a page with noindex, and other crawlers do not run them: the page stays out of the index.',
    action: 'If the page should be indexed, send HTML without noindex.',
    decision:
      'The HTML or the headers have a noindex that applies to the crawler; scripts of the page remove it.',
    example: 'document.querySelector("meta[name=robots]").remove()',
    source: 'script',
  },
  'rendered-canonical-changed': {
    severity: 'warning',
    rank: 140,
    about: 'indexing',
    one: 'Scripts change the canonical of 1 page',
    many: 'Scripts change the canonicals of # pages',
    sentence: 'Its scripts change its canonical.',
    cost: 'Crawlers that do not run scripts see another canonical or none. Search engines may use either, and ignore several different ones.',
    action:
      'Send the final canonical in the HTML, and let no script change it. Google also accepts a canonical that only a script adds.',
    decision:
      'The URLs of the canonicals that count differ before and after the scripts of the page. The page has no noindex in its HTML or headers. The detail: added, removed, replaced, or several different ones.',
    example: '<link rel="canonical" href="/app"> becomes href="/app/shoes"',
    source: 'script',
  },
  'rendered-links-only': {
    severity: 'warning',
    rank: 150,
    about: 'indexing',
    one: '1 page has links that only its scripts add',
    many: '# pages have links that only their scripts add',
    sentence: 'Has links that only its scripts add.',
    cost: 'Crawlers that do not run scripts do not find these links, and others find them later.',
    action: 'Send the links in the HTML, as anchors with href.',
    decision: 'The rendered page has anchors that lead to URLs to which the HTML does not link.',
    example: '<div id="app"></div>, which a script fills with links',
    source: 'links',
  },
  'rendered-redirect': {
    severity: 'warning',
    rank: 160,
    about: 'indexing',
    one: 'Scripts of 1 page lead to another URL',
    many: 'Scripts of # pages lead to other URLs',
    sentence: 'Its scripts lead to another URL.',
    cost: 'Crawlers that do not run scripts read a page that visitors do not see.',
    action: 'Redirect with a status, such as 301.',
    decision: 'A script of the page leads the browser to another URL.',
    example: 'location.replace("/new")',
    source: 'redirects',
  },
  'rendered-resource-blocked': {
    severity: 'warning',
    rank: 170,
    about: 'indexing',
    one: '1 page was rendered without files that robots.txt disallows',
    many: '# pages were rendered without files that robots.txt disallows',
    sentence: 'Was rendered without files that robots.txt disallows.',
    cost: 'A crawler that renders the page does not get these files either, so it may miss content and links.',
    action:
      'Allow the scripts, styles and data that the page needs. Files of other sites that only count visitors are not needed.',
    decision:
      'The page was rendered as this crawler does, and requested files that robots.txt disallows to it and that its HTML does not name, or that redirect to disallowed URLs. The detail has the rules.',
    example: 'fetch("/api/products"), Disallow: /api/',
    source: 'script',
  },
  'not-rendered': {
    severity: 'warning',
    rank: 180,
    about: 'indexing',
    one: '1 page could not be rendered',
    many: '# pages could not be rendered',
    sentence: 'Could not be rendered.',
    cost: 'What its scripts change is unknown, and crawlers that run scripts may fail, too.',
    action:
      'See the detail: shorten scripts that do not end or take too much memory; if the page did not load, check the server.',
    decision:
      'The page did not respond with status 200 when it was requested again, or Chromium could not render it within the limits of time and memory. The detail is the reason.',
    example: 'for (;;) {}',
    source: 'script',
  },
  'rendered-title-changed': {
    severity: 'info',
    rank: 90,
    about: 'indexing',
    one: 'Scripts change the title of 1 page',
    many: 'Scripts change the titles of # pages',
    sentence: 'Its scripts change its title.',
    cost: 'Crawlers that do not run scripts see another title.',
    action: 'Send the final title in the HTML.',
    decision:
      'The page has no noindex, and its title differs before and after its scripts. The detail is the new one.',
    example: 'document.title = "Shoes"',
    source: 'title',
  },
} as const;

/** The crawler as which the run renders pages: files that robots.txt disallows to it are missing. */
const RENDERING_AGENT = 0;

/** Finds what the scripts of rendered pages change, for each crawler that may fetch the page. */
export function* findRenderingProblems(
  run: RunStore,
  agents: readonly string[],
  policies: RunPolicies,
  now: number,
): Generator<Finding<keyof typeof RENDERING_KINDS>> {
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
  for (const { url, reason } of outcome.refused) {
    if (reason !== 'robots' || named.has(url)) continue;
    const verdict = policies.decide(url, RENDERING_AGENT);
    blocked.push({ url, line: verdict?.kind === 'disallowed' ? verdict.line : 0 });
  }
  return blocked;
}

type RenderingFound = Found<keyof typeof RENDERING_KINDS>;

interface Crawler {
  readonly agent: number;
  readonly name: string;
  readonly hasNoindex: (robots: readonly RobotsStatement[]) => boolean;
}

function findInRendering({ outcome }: Rendering, crawler: Crawler): RenderingFound[] {
  if (outcome.kind === 'failure')
    // The site does not want the page to be rendered.
    return ['robots', 'own-robots'].includes(outcome.code)
      ? []
      : [{ code: 'not-rendered', detail: outcome.detail, targets: [] }];
  const { before, after, added, redirect } = outcome;
  // The title and the canonical of a page that is not indexed do not matter.
  const isOut = crawler.hasNoindex(before.robots);
  const found: RenderingFound[] = [
    ...findNoindex(outcome, crawler),
    ...(isOut ? [] : findCanonical(outcome)),
  ];
  if (added.count > 0) found.push({ code: 'rendered-links-only', detail: null, targets: added.urls });
  if (redirect !== null) found.push({ code: 'rendered-redirect', detail: null, targets: [redirect] });
  if (!isOut && (before.title ?? '') !== (after.title ?? ''))
    found.push({ code: 'rendered-title-changed', detail: after.title || 'no title', targets: [] });
  return found;
}

type Rendered = Extract<RenderOutcome, { readonly kind: 'rendered' }>;

function findNoindex({ before, after }: Rendered, { name, hasNoindex }: Crawler): RenderingFound[] {
  const [had, has] = [hasNoindex(before.robots), hasNoindex(after.robots)];
  if (had && !has) return [{ code: 'rendered-noindex-removed', detail: null, targets: [] }];
  // Other crawlers do not see it.
  if (!had && has && runsScripts(name))
    return [{ code: 'rendered-noindex-added', detail: null, targets: [] }];
  return [];
}

function findCanonical({ before, after }: Rendered): RenderingFound[] {
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
