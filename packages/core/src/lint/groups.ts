/**
 * What is odd about groups and the names of crawlers.
 *
 * @module
 */
import { CRAWLERS } from '../catalogue.ts';
import { isProductToken } from '../crawler.ts';
import type { RobotsTxt } from '../document.ts';
import type { UserAgentRecord } from '../record.ts';
import { type Finding, findingAt } from './finding.ts';

/** Names that differ from a known one by so many letters are taken for misspellings of it. */
const MAX_DISTANCE = 2;
/** Names shorter than this by no more than one letter: short ones are near to too many others. */
const LONG = 9;
/** Shorter ones never. */
const MIN_LENGTH = 5;

/** Crawlers that the catalogue does not list, with names near to one that it does. */
const OTHERS = new Set(['jooblebot', 'dotbot', 'psbot', 'jetbot', 'wpbot']);

/** Finds it. */
export function lintGroups(robots: RobotsTxt): Finding[] {
  const findings: Finding[] = [];
  const seen = new Map<string, UserAgentRecord>();
  // Sitemaps are in no group, and end none.
  const others = robots.records().filter(({ kind }) => kind === 'other' || kind === 'sitemap');
  for (const { userAgents, rules } of robots.groups()) {
    const [first] = userAgents;
    if (rules.length === 0 && first !== undefined) findings.push(findingAt('group-without-rules', first));
    for (const [index, agent] of userAgents.entries()) {
      const next = userAgents[index + 1];
      const between = others.find(({ line }) => next !== undefined && line > agent.line && line < next.line);
      if (between !== undefined) {
        const data = { field: between.field, agent: agent.text };
        findings.push(findingAt('groups-run-together', between, data));
      }
      const before = seen.get(agent.token);
      if (before !== undefined && !userAgents.includes(before))
        findings.push(findingAt('same-agent-again', agent, { agent: agent.text, line: before.line }));
      if (agent.token !== '') seen.set(agent.token, before ?? agent);
      const meant = knownNear(agent.token);
      if (meant !== undefined)
        findings.push(findingAt('misspelt-agent', agent, { agent: agent.text, meant }));
    }
  }
  return findings;
}

/** A known product token that is nearly this one, but not it. */
function knownNear(token: string): string | undefined {
  if (token.length < MIN_LENGTH || !isProductToken(token) || OTHERS.has(token)) return undefined;
  const known = CRAWLERS.flatMap(({ tokens }) => tokens);
  if (known.some((each) => each.toLowerCase() === token)) return undefined;
  return known.find((each) => each.length >= MIN_LENGTH && isNear(each.toLowerCase(), token));
}

/** Whether two texts differ by few letters that are added, missing or different (Levenshtein). */
function isNear(a: string, b: string): boolean {
  const distance = Math.min(a.length, b.length) < LONG ? 1 : MAX_DISTANCE;
  if (Math.abs(a.length - b.length) > distance) return false;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return (row[b.length] as number) <= distance;
}
