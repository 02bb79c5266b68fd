// The robots.txt of other sites from which pages load scripts, stylesheets and images: whether a crawler may load them depends on it. The
// resources themselves are not requested.
import { getOrigin } from '@maycrawl/core/url';
import type { RunStore } from '../run/run-store.ts';
import type { RobotsGuard } from './robots-guard.ts';

/** Maximum number of sites in a run: a hostile page could name a thousand. */
const MAX_SITES = 50;
/** Maximum number of concurrent requests, each to another site. */
const MAX_REQUESTS = 10;
/** Number of rows of one query. */
const CHUNK = 1_000;

/** Fetches the files that the run does not have, those of the resources found first. */
export async function fetchResourceSites(
  run: RunStore,
  guard: Pick<RobotsGuard, 'getSite'>,
  signal: AbortSignal,
): Promise<void> {
  const sites = findSites(run);
  const fetchNext = async (): Promise<void> => {
    for (let site = sites.pop(); site !== undefined && !signal.aborted; site = sites.pop())
      if (run.robots.get(site) === undefined) await guard.getSite(site, signal);
  };
  try {
    await Promise.all(Array.from({ length: MAX_REQUESTS }, fetchNext));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function findSites(run: RunStore): string[] {
  const sites = new Set<string>();
  for (let after = 0; ; ) {
    const resources = run.resources(after, CHUNK);
    for (const { id, url } of resources) {
      after = id;
      sites.add(getOrigin(url));
      if (sites.size === MAX_SITES) return [...sites].reverse();
    }
    if (resources.length < CHUNK) return [...sites].reverse();
  }
}
