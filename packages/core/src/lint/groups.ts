/**
 * What is odd about groups and the names of crawlers.
 *
 * @module
 */
import { CRAWLERS } from '../crawler/catalogue.ts';
import { isProductToken } from '../crawler/crawler.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { UserAgentRecord } from '../syntax/record.ts';
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
  const seen = new Map<string, { readonly agent: UserAgentRecord; readonly group: number }>();
  const nearest = new Map<string, string | undefined>();
  // Sitemaps are in no group, and end none.
  const others = robots.records().filter(({ kind }) => kind === 'other' || kind === 'sitemap');
  let nextOther = 0;
  for (const [group, { userAgents, rules }] of robots.groups().entries()) {
    const [first] = userAgents;
    if (rules.length === 0 && first !== undefined) findings.push(findingAt('group-without-rules', first));
    for (const [index, agent] of userAgents.entries()) {
      while ((others[nextOther]?.line ?? Number.POSITIVE_INFINITY) < agent.line) nextOther++;
      const between = others[nextOther];
      const next = userAgents[index + 1];
      if (between !== undefined && next !== undefined && between.line < next.line) {
        const data = { field: between.field, agent: agent.text };
        findings.push(findingAt('groups-run-together', between, data));
      }
      const token = agent.extendedToken;
      const before = seen.get(token);
      if (before !== undefined && before.group !== group)
        findings.push(findingAt('same-agent-again', agent, { agent: agent.text, line: before.agent.line }));
      if (token !== '' && before === undefined) seen.set(token, { agent, group });
      if (!nearest.has(token)) nearest.set(token, knownNear(token));
      const meant = nearest.get(token);
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

interface KnownName {
  readonly name: string;
  readonly lowerCase: string;
  readonly letters: number;
}

/** Names that can be misspelt, by their length. */
const BY_LENGTH: ReadonlyMap<number, readonly KnownName[]> = /* @__PURE__ */ groupByLength(MEANT);

function groupByLength(names: readonly string[]): Map<number, KnownName[]> {
  const byLength = new Map<number, KnownName[]>();
  for (const name of names) {
    const lowerCase = name.toLowerCase();
    const known = { name, lowerCase, letters: lettersIn(lowerCase) };
    byLength.set(name.length, [...(byLength.get(name.length) ?? []), known]);
  }
  return byLength;
}

/** The letters that stand in a name, each a bit. */
function lettersIn(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

/** The name that is meant by one that nobody is known to have: the nearest that is near enough. */
function knownNear(token: string): string | undefined {
  if (token.length < MIN_LENGTH || !isProductToken(token) || KNOWN.has(token)) return undefined;
  const letters = lettersIn(token);
  let nearest: string | undefined;
  let least = MAX_DISTANCE + 1;
  for (let length = token.length - MAX_DISTANCE; length <= token.length + MAX_DISTANCE; length++) {
    const limit = Math.min(length, token.length) < LONG ? 1 : MAX_DISTANCE;
    if (Math.abs(length - token.length) > limit) continue;
    for (const known of BY_LENGTH.get(length) ?? []) {
      // A change of one letter makes at most two letters differ: most names need not be compared.
      if (countBits(known.letters ^ letters) > 2 * limit) continue;
      const distance = distanceBetween(known.lowerCase, token, limit);
      if (distance <= limit && distance < least) [nearest, least] = [known.name, distance];
    }
  }
  return nearest;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/**
 * How many letters are added, missing, different, or swapped with their neighbour (optimal string alignment).
 *
 * @param limit - only cells so near to the diagonal are computed, because a distance beyond it does not matter.
 */
function distanceBetween(a: string, b: string, limit: number): number {
  const beyond = limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(beyond);
    if (i <= limit) next[0] = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] as number) + 1 : beyond;
      next[j] = Math.min(changed, swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
