// Findings about groups and user-agent lines.
import { computeEditDistance } from '../bytes/edit-distance.ts';
import { CRAWLERS } from '../crawler/catalogue.ts';
import { FURTHER_TOKENS } from '../crawler/catalogue-data.ts';
import { isProductToken } from '../crawler/crawler.ts';
import type { Group, RobotsRecord, UserAgentRecord } from '../syntax/record.ts';
import { createFinding, type Finding } from './finding.ts';

/** Maximum edit distance between a misspelling and the known name. */
const MAX_DISTANCE = 2;
/** Shorter names are close to too many others: they allow a distance of 1, and only names of the catalogue. */
const MIN_LONG_LENGTH = 9;
/** Shorter names are never reported. */
const MIN_LENGTH = 5;

export function lintGroups(records: readonly RobotsRecord[], groups: readonly Group[]): Finding[] {
  const findings: Finding[] = [];
  const seen = new Map<string, { readonly agent: UserAgentRecord; readonly group: number }>();
  const nearest = new Map<string, string | undefined>();
  // Sitemaps belong to no group, and do not end one.
  const others = records.filter(({ kind }) => kind === 'other' || kind === 'sitemap');
  let nextOther = 0;
  for (const [group, { userAgents, rules }] of groups.entries()) {
    const [first] = userAgents;
    if (rules.length === 0 && first !== undefined) findings.push(createFinding('group-without-rules', first));
    for (const [index, agent] of userAgents.entries()) {
      while ((others[nextOther]?.line ?? Number.POSITIVE_INFINITY) < agent.line) nextOther++;
      const between = others[nextOther];
      const next = userAgents[index + 1];
      const isMerging = between !== undefined && next !== undefined && between.line < next.line;
      if (isMerging && !endsGroup(between)) {
        const data = { field: between.field, agent: agent.text };
        findings.push(createFinding('merged-groups', between, data));
      }
      const token = agent.extendedToken;
      const earlier = seen.get(token);
      if (earlier !== undefined && earlier.group !== group)
        findings.push(
          createFinding('repeated-agent', agent, { agent: agent.text, line: earlier.agent.line }),
        );
      if (token !== '' && earlier === undefined) seen.set(token, { agent, group });
      if (!nearest.has(token)) nearest.set(token, findCorrection(token));
      const suggestion = nearest.get(token);
      if (suggestion !== undefined)
        findings.push(createFinding('misspelled-user-agent', agent, { agent: agent.text, suggestion }));
      else if (token.startsWith(USAGE_PREFIX) && !KNOWN.has(token))
        findings.push(
          createFinding('unknown-usage-token', agent, {
            agent: agent.text,
            known: USAGE_TOKENS.join(' or '),
          }),
        );
    }
  }
  return findings;
}

/** Whether a group ends at a record for some readers: `preference-between-user-agents` reports it. */
function endsGroup({ field }: RobotsRecord): boolean {
  return field.toLowerCase() === 'content-usage';
}

const CATALOGUE_TOKENS: readonly string[] = CRAWLERS.flatMap(({ tokens }) => tokens);
/** Names to which misspellings are corrected. Parsers read only the beginning of names with a digit or a dot. */
const CORRECTIONS: readonly string[] = [
  ...new Set(CATALOGUE_TOKENS.filter(({ length }) => length >= MIN_LENGTH)),
  ...FURTHER_TOKENS.filter((token) => token.length >= MIN_LONG_LENGTH && isProductToken(token)),
];
/** Names that are not misspellings, in lower case. */
const KNOWN: ReadonlySet<string> = new Set(
  [...CATALOGUE_TOKENS, ...FURTHER_TOKENS].map((token) => token.toLowerCase()),
);

/** The prefix of tokens that state a preference for all crawlers (draft-kelley-aipref-training-preference-signal-00). */
const USAGE_PREFIX = '__usage_';
const USAGE_TOKENS: readonly string[] = CATALOGUE_TOKENS.filter((token) => token.startsWith(USAGE_PREFIX));

interface Correction {
  readonly name: string;
  readonly lowerCase: string;
  readonly characters: number;
}

/** Names to which misspellings are corrected, by length. */
const CORRECTIONS_BY_LENGTH: ReadonlyMap<number, readonly Correction[]> =
  /* @__PURE__ */ groupByLength(CORRECTIONS);

function groupByLength(names: readonly string[]): Map<number, Correction[]> {
  const byLength = new Map<number, Correction[]>();
  for (const name of names) {
    const lowerCase = name.toLowerCase();
    const correction = { name, lowerCase, characters: getCharacterSet(lowerCase) };
    byLength.set(name.length, [...(byLength.get(name.length) ?? []), correction]);
  }
  return byLength;
}

/** Returns the set of characters of a name as bits. Characters with the same code modulo 32 share a bit. */
function getCharacterSet(name: string): number {
  let characters = 0;
  for (let at = 0; at < name.length; at++) characters |= 1 << (name.charCodeAt(at) & 31);
  return characters;
}

/** Finds the nearest known name to an unknown one, if it is within the maximum distance. */
function findCorrection(token: string): string | undefined {
  if (token.length < MIN_LENGTH || !isProductToken(token) || KNOWN.has(token)) return undefined;
  const characters = getCharacterSet(token);
  let nearest: string | undefined;
  let least = MAX_DISTANCE + 1;
  for (let length = token.length - MAX_DISTANCE; length <= token.length + MAX_DISTANCE; length++) {
    const limit = Math.min(length, token.length) < MIN_LONG_LENGTH ? 1 : MAX_DISTANCE;
    if (Math.abs(length - token.length) > limit) continue;
    for (const correction of CORRECTIONS_BY_LENGTH.get(length) ?? []) {
      // One edit changes at most two characters of the set: most names need no comparison.
      if (countBits(correction.characters ^ characters) > 2 * limit) continue;
      const distance = computeEditDistance(correction.lowerCase, token, limit);
      if (distance <= limit && distance < least) [nearest, least] = [correction.name, distance];
    }
  }
  return nearest;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
