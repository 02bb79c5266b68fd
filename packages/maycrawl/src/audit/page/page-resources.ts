// Which resources of a page robots.txt blocks, and for which crawlers. Resources are not requested, only the robots.txt of their hosts.
import type { PageResource, ResourceKind } from '@maycrawl/core/indexability';
import { getOrigin } from '@maycrawl/core/url';
import type { PageJson } from '../../api/page-api.ts';
import type { NamedCrawler } from './common-crawlers.ts';
import type { PageTools } from './page-tools.ts';

/** Origins whose robots.txt is fetched for one page: each is a request. */
const MAX_ORIGINS = 20;

type Host = PageJson<'Resources'>['hosts'][number];

/** Groups resources by their origins, in the order in which the page names them. */
export async function groupResources(
  { total, first }: { readonly total: number; readonly first: readonly PageResource[] },
  crawlers: readonly NamedCrawler[],
  { decide }: Pick<PageTools, 'decide'>,
): Promise<PageJson<'Resources'>> {
  const byOrigin = new Map<string, PageResource[]>();
  for (const resource of first) {
    const origin = getOrigin(resource.url);
    const known = byOrigin.get(origin);
    if (known === undefined) byOrigin.set(origin, [resource]);
    else known.push(resource);
  }
  const origins = [...byOrigin];
  const checked = origins.slice(0, MAX_ORIGINS).flatMap(([, resources]) => resources);
  const verdicts = await decide(
    checked.map(({ url }) => url),
    crawlers,
  );
  let next = 0;
  const hosts = origins.map(([origin, resources], index): Host => {
    if (index >= MAX_ORIGINS)
      return {
        origin,
        problem: `not checked: only the robots.txt of ${MAX_ORIGINS} hosts are fetched for one page`,
        resources: resources.map((each) => ({ ...each, blockedFor: [] })),
      };
    let problem: string | null = null;
    const judged = resources.map((resource) => {
      const blockedFor = (verdicts[next++] ?? []).flatMap(({ group: _, ...verdict }, agent) => {
        if (verdict.allowed === null) problem = verdict.message;
        return verdict.allowed === false ? [{ agent: crawlers[agent]?.name ?? '', ...verdict }] : [];
      });
      return { ...resource, blockedFor };
    });
    return { origin, problem, resources: judged };
  });
  return { total, hosts };
}

/** Counts the resources that are blocked for a crawler. */
export function countBlocked(
  resources: PageJson<'Resources'> | null,
  agent: string,
): Record<ResourceKind, number> {
  const counts = { script: 0, style: 0, image: 0 };
  for (const { resources: each } of resources?.hosts ?? [])
    for (const { kind, blockedFor } of each)
      if (blockedFor.some((verdict) => verdict.agent === agent)) counts[kind]++;
  return counts;
}
