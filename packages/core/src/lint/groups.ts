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
import { FURTHER_TOKENS } from './known-tokens.ts';

/** Names that differ from a known one by so many letters are taken for misspellings of it. */
const MAX_DISTANCE = 2;
/** Names shorter than this by no more than one letter, and of the catalogue alone: short ones are near to too many others. */
const LONG = 9;
/** Shorter ones never. */
const MIN_LENGTH = 5;

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

/** Those of the catalogue. */
const LISTED: readonly string[] = CRAWLERS.flatMap(({ tokens }) => tokens);
/** Names that can be misspelt. */
const MEANT: readonly string[] = [
  ...new Set(LISTED.filter(({ length }) => length >= MIN_LENGTH)),
  ...FURTHER_TOKENS.filter(({ length }) => length >= LONG),
];
/** Names that are no misspellings. */
const KNOWN: ReadonlySet<string> = new Set(
  [...LISTED, ...FURTHER_TOKENS].map((token) => token.toLowerCase()),
);

/** The name that is meant by one that nobody is known to have: the nearest that is near enough. */
function knownNear(token: string): string | undefined {
  if (token.length < MIN_LENGTH || !isProductToken(token) || KNOWN.has(token)) return undefined;
  let nearest: string | undefined;
  let least = MAX_DISTANCE + 1;
  for (const meant of MEANT) {
    const limit = Math.min(meant.length, token.length) < LONG ? 1 : MAX_DISTANCE;
    if (Math.abs(meant.length - token.length) > limit) continue;
    const distance = distanceBetween(meant.toLowerCase(), token);
    if (distance <= limit && distance < least) [nearest, least] = [meant, distance];
  }
  return nearest;
}

/** How many letters are added, missing, different, or swapped with their neighbour (optimal string alignment). */
function distanceBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(changed, swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
