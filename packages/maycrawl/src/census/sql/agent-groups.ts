// Groups of agents with a name, such as "AI training": which sites block any of them, and which block all of them.
import { requireStrings } from '@maycrawl/core/internal';
import { CensusError } from '../census-summary.ts';
import { nameAgent } from '../judge/judged-agents.ts';
import { BLOCKED } from '../report/site-access.ts';
import type { CensusFolder } from './census-folder.ts';
import { quoteText } from './sql-text.ts';

/** Agents that are counted together. */
export interface AgentGroup {
  /** Any text; unique among the groups. */
  readonly name: string;
  /** The names of agents of the censuses, in any case; at least one. */
  readonly agents: readonly string[];
}

/**
 * Returns groups with the agents as the censuses name them, each of them once.
 *
 * @throws {CensusError} if a census has no such agent, or two groups have the same name.
 * @throws {RangeError} if no user-agent line can name an agent.
 */
export function resolveGroups(
  groups: readonly AgentGroup[],
  censuses: readonly CensusFolder[],
): readonly AgentGroup[] {
  const names = groups.map(({ name }) => name.toLowerCase());
  return groups.map(({ name, agents }, place) => {
    if (names.indexOf(name.toLowerCase()) < place) throw new CensusError(`the group ${name} is given twice`);
    requireStrings(`the group ${name}`, agents);
    if (agents.length === 0) throw new CensusError(`the group ${name} has no agent`);
    const found = agents.map((agent) => findAgent(agent, name, censuses));
    return { name, agents: [...new Set(found)] };
  });
}

/** Finds the name of an agent, which all censuses have. */
function findAgent(agent: string, group: string, censuses: readonly CensusFolder[]): string {
  const lower = nameAgent(agent).toLowerCase();
  const names = censuses.map(({ name, summary }) => {
    const found = summary.agents.find((each) => each.toLowerCase() === lower);
    if (found === undefined) throw new CensusError(`the group ${group}: ${name} has no agent ${agent}`);
    return found;
  });
  return names.at(-1) ?? agent;
}

/**
 * Returns the statements that create the views of groups. They refer to those of `createAgentViews`.
 *
 * @param groups - as `resolveGroups` returns them.
 */
export function createGroupViews(groups: readonly AgentGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  const rows = groups.flatMap(({ name, agents }) =>
    agents.map((agent) => `(${quoteText(name)}, ${quoteText(agent)})`),
  );
  const list = BLOCKED.map(quoteText).join(', ');
  return [
    `CREATE OR REPLACE VIEW agent_groups AS
    SELECT name COLLATE NOCASE AS name, agent COLLATE NOCASE AS agent FROM (VALUES ${rows.join(', ')}) AS pairs(name, agent)`,
    // What is unknown of an agent can leave the answer unknown: then it is null, as in SQL.
    `CREATE OR REPLACE VIEW group_access AS
    SELECT census, site, domain, tld, outcome, digest, name, count(*) AS agents,
      count(*) FILTER (blocks) AS blocked,
      CASE WHEN bool_or(blocks) THEN true WHEN count(blocks) < count(*) THEN NULL ELSE false END AS "blocksAny",
      CASE WHEN NOT bool_and(blocks) THEN false WHEN count(blocks) < count(*) THEN NULL ELSE true END AS "blocksAll"
    FROM (
      SELECT access.*, CASE WHEN access NOT IN ('undecided', 'unreachable', 'unknown') THEN access IN (${list}) END AS blocks
      FROM access
    ) JOIN agent_groups USING (agent)
    GROUP BY ALL`,
  ];
}
