// Why the results of a run do not count: the server failed, so what the run did not see is unknown.

import { getOrigin } from '@maycrawl/core/url';
import type { GroupedChanges } from '../../audit/report/compare/grouped-changes.ts';
import { describeUnresponsive } from '../../audit/report/summary.ts';
import { isServerFailure } from '../../audit/run/records/server-failure.ts';
import type { RunStore } from '../../audit/run/run-store.ts';
import { getSettings, type RunEnd } from '../../audit/run/settings.ts';
import { formatCount } from '../../text/counts.ts';
import { formatCrawlers } from '../../text/crawler-names.ts';

/** If this share of the indexable URLs fails, the server is the cause, not the pages. */
const SERVER_SHARE = 0.5;

/** Returns why the site as a whole failed; `null` if it did not. */
export async function findSiteFailure(run: RunStore, end: RunEnd): Promise<string | null> {
  const { fetched, waiting } = await run.counts();
  if (end.reason === 'no-responses')
    return `${describeUnresponsive(end)} stopped responding after ${formatCount(fetched, 'URL')}; ${formatCount(waiting)} are waiting`;
  const { starts } = await getSettings(run);
  for (const start of starts) {
    const robots = run.robots.get(getOrigin(start));
    if (robots?.policy.kind === 'disallow-all')
      return `robots.txt cannot be fetched${robots.message === null ? '' : ` (${robots.message})`}, so no page was fetched`;
  }
  const failures = await Promise.all(starts.map((start) => describeStartFailure(run, start)));
  return failures.every((each) => each !== null) ? (failures[0] ?? null) : null;
}

async function describeStartFailure(run: RunStore, start: string): Promise<string | null> {
  const key = await run.findKey(start);
  const page = key === undefined ? undefined : await run.page(key);
  if (page === undefined) return null;
  if (page.outcome.kind === 'failure')
    return `the server does not respond to ${start} (${page.outcome.code})`;
  const { status } = page.outcome.facts;
  return isServerFailure(status) ? `the server responds with status ${status} to ${start}` : null;
}

/** Returns the failures that show that the server is the cause; `null` if the changes have other causes. */
export function findServerFailure({ lost, agents, indexableBefore }: GroupedChanges): string | null {
  const failing = lost.filter(
    ({ cause: { reason, source } }) =>
      reason === 'unreachable' || (reason === 'error' && isServerFailure(Number(source))),
  );
  const count = (agent: string): number =>
    failing
      .flatMap(({ group }) => group.crawlers)
      .filter((each) => each.agents.includes(agent))
      .reduce((sum, { urls }) => sum + urls, 0);
  const agent = agents.find(
    (each) => count(each) > 1 && count(each) >= SERVER_SHARE * (indexableBefore[each] ?? 0),
  );
  if (agent === undefined) return null;
  const causes = failing.slice(0, 2).map(({ cause }) => cause.text);
  return `the server fails for ${formatCount(count(agent))} of ${formatCount(indexableBefore[agent] ?? 0, 'URL')} that were indexable for ${formatCrawlers([agent])}: ${causes.join(', ')}`;
}
