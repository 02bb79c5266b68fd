// Counts the sites that block any agent of a group, and those that block all of them.
import type { AgentGroup } from '../../sql/agent-groups.ts';
import type { SiteCount } from '../site-count.ts';
import type { ReportGroup } from '../user-data.ts';
import type { CountingContext } from './count-access.ts';
import { type CountRow, EMPTY } from './example-pool.ts';
import { BLOCKED_CODES } from './site-codes.ts';

/** Counts the sites of each crawl for each group. @param groups - as `resolveGroups` returns them. */
export async function countGroups(
  context: CountingContext,
  crawls: number,
  groups: readonly AgentGroup[],
): Promise<readonly ReportGroup[]> {
  const result: ReportGroup[] = [];
  for (const { name, agents } of groups) {
    const places = agents.map((agent) => context.agents.indexOf(agent));
    const counts: ReportGroup['crawls'][number][] = [];
    for (let crawl = 0; crawl < crawls; crawl++)
      counts.push({
        any: await countBlocking(context, crawl, places, 1),
        all: await countBlocking(context, crawl, places, places.length),
      });
    result.push({ name, agents: places, crawls: counts });
  }
  return result;
}

/** Counts the sites that block a number of agents. Their examples have the lines for the first agent of a group that is blocked as a whole. */
async function countBlocking(
  { database, pool, signal }: CountingContext,
  crawl: number,
  places: readonly number[],
  least: number,
): Promise<SiteCount> {
  const codes = `list_select(codes, [${places.map((place) => place + 1).join(', ')}])`;
  const [row = EMPTY] = await database.select<CountRow>(
    `SELECT ${pool.columns} FROM site WHERE crawl = ${crawl}
     AND len(list_filter(${codes}, lambda code: code IN ${BLOCKED_CODES})) >= ${least}`,
    signal,
  );
  const [agent = 0] = places;
  return pool.add(row, least === places.length ? { crawl, agent } : { crawl });
}
