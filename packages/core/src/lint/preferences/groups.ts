// Findings about the crawlers that declarations reach, and about declarations that contradict rules or each other.
import type { Profile } from '../../crawler/profile.ts';
import { findTotalDisallow, hasEffectiveAllow } from '../../matching/total-patterns.ts';
import { formatLines } from '../../model/diagnostics/format-lines.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import { MAIN_PURPOSES } from '../../preferences/labels.ts';
import { READINGS, selectClosest } from '../../preferences/readings.ts';
import type { PreferenceLine } from '../../preferences/robots-txt/preference-lines.ts';
import { combineValues } from '../../preferences/statement.ts';
import type { Group, Rule, UserAgentRecord } from '../../syntax/record.ts';
import { AI_TOKENS } from '../ai-tokens.ts';
import { createFinding, type Finding } from '../finding.ts';
import { appendStatements, listStatements, readWrittenLines } from './written-lines.ts';

export interface DeclaringGroup extends Group {
  readonly declared: readonly PreferenceLine[];
}

/** All groups that name a crawler, as one: crawlers combine them (RFC 9309 section 2.2.1). */
export interface CrawlerGroups {
  hasDeclarations: boolean;
  canAllow: boolean;
  disallow: Rule | undefined;
}

export function combineByToken(
  groups: readonly DeclaringGroup[],
  profile: Profile,
): ReadonlyMap<string, CrawlerGroups> {
  const combined = new Map<string, CrawlerGroups>();
  for (const { userAgents, rules, declared } of groups) {
    const disallow = findTotalDisallow(rules, profile);
    const canAllow = hasEffectiveAllow(rules, profile);
    for (const { extendedToken: token } of userAgents) {
      const each = combined.get(token) ?? { hasDeclarations: false, canAllow: false, disallow: undefined };
      each.hasDeclarations ||= declared.length > 0;
      each.canAllow ||= canAllow;
      each.disallow ??= disallow;
      combined.set(token, each);
    }
  }
  for (const each of combined.values()) if (each.canAllow) each.disallow = undefined;
  return combined;
}

const MAX_AGENTS = 5;

/**
 * Reports groups of AI crawlers that have no declaration, if there are refusals for `*`. The crawlers may fetch URLs: otherwise a
 * preference has no effect.
 *
 * @param spelled - lines that other fixes replace.
 */
export function lintOwnGroups(
  robots: RobotsTxt,
  groups: readonly DeclaringGroup[],
  combined: ReadonlyMap<string, CrawlerGroups>,
  spelled: ReadonlyMap<number, string | null>,
): Finding[] {
  const global = groups.flatMap((group) => (isGlobal(group) ? group.declared : []));
  if (!global.some(refusesUse)) return [];
  const lines = formatLines(global.map(({ record }) => record.line));
  const seen = new Set<string>();
  const found = groups.flatMap(({ userAgents }) => {
    const missed = userAgents.filter(({ extendedToken: token }) => {
      const { hasDeclarations, disallow } = combined.get(token) as CrawlerGroups;
      if (!AI_TOKENS.has(token) || seen.has(token) || hasDeclarations || disallow !== undefined) return false;
      seen.add(token);
      return true;
    });
    const last = userAgents.at(-1);
    return missed.length > 0 && last !== undefined ? [{ missed, last }] : [];
  });
  const statements = listStatements(global);
  const places = new Set(statements === undefined ? [] : found.map(({ last }) => last.line));
  const written = readWrittenLines(robots, places, spelled);
  return found.map(({ missed, last }) => {
    const finding = createFinding('preference-missing-in-own-group', last, {
      agents: formatAgents(missed),
      lines,
    });
    const target = written.get(last.line);
    if (target === undefined || statements === undefined) return finding;
    return { ...finding, fix: { line: last.line, replacement: appendStatements(target, statements) } };
  });
}

export function isGlobal({ userAgents }: Group): boolean {
  return userAgents.some(({ productToken }) => productToken === '*');
}

/** Whether a line refuses a use other than search. */
function refusesUse({ declaration }: PreferenceLine): boolean {
  return declaration.claims.some(
    ({ statement: { purpose, value } }) => value === 'disallowed' && purpose !== 'search',
  );
}

/** Lists the first agents as written. */
export function formatAgents(agents: readonly UserAgentRecord[]): string {
  const names = agents.slice(0, MAX_AGENTS).map(({ text }) => text);
  return agents.length > MAX_AGENTS
    ? `${names.join(', ')} and ${agents.length - MAX_AGENTS} more`
    : names.join(', ');
}

/** Reports permissions to use content that may not be fetched. */
export function lintUseWithoutCrawl(
  groups: readonly DeclaringGroup[],
  combined: ReadonlyMap<string, CrawlerGroups>,
): Finding[] {
  return groups.flatMap(({ userAgents, declared }) => {
    if (declared.length === 0) return [];
    const disallows = userAgents.map(({ extendedToken }) => combined.get(extendedToken)?.disallow);
    const [rule] = disallows;
    if (rule === undefined || disallows.includes(undefined)) return [];
    return declared.flatMap((line) => {
      const purposes = MAIN_PURPOSES.filter(
        (each) => each !== 'search' && getValue(line, each) === 'allowed',
      );
      const data = { purposes: purposes.join(' and '), rule: rule.line };
      return purposes.length === 0 ? [] : [createFinding('use-without-crawl', line.record, data)];
    });
  });
}

function getValue({ declaration }: PreferenceLine, purpose: string): 'allowed' | 'disallowed' | 'unknown' {
  const claims = selectClosest(declaration, purpose, READINGS[0]);
  return combineValues(claims.map(({ statement }) => statement.value));
}

/** Reports declarations that contradict an earlier one of the same group and path. All groups for `*` are one. */
export function lintConflicts(groups: readonly DeclaringGroup[]): Finding[] {
  const first = new Map<string, PreferenceLine>();
  return groups.flatMap((group, index) => {
    const scope = isGlobal(group) ? '*' : index;
    return group.declared.flatMap((line) => {
      const opposites = new Map<PreferenceLine, string[]>();
      for (const purpose of MAIN_PURPOSES) {
        const value = getValue(line, purpose);
        if (value === 'unknown') continue;
        const getKey = (of: string): string => [scope, purpose, of, line.declaration.pattern ?? ''].join(' ');
        if (!first.has(getKey(value))) first.set(getKey(value), line);
        const opposite = first.get(getKey(value === 'allowed' ? 'disallowed' : 'allowed'));
        if (opposite !== undefined) opposites.set(opposite, [...(opposites.get(opposite) ?? []), purpose]);
      }
      return [...opposites].map(([opposite, purposes]) => createConflict(line, opposite, purposes));
    });
  });
}

function createConflict(
  line: PreferenceLine,
  opposite: PreferenceLine,
  purposes: readonly string[],
): Finding {
  const isAllowed = getValue(line, purposes[0] as string) === 'allowed';
  return createFinding('conflicting-preferences', line.record, {
    ...(isAllowed ? { verb: 'allows', opposite: 'refuses' } : { verb: 'refuses', opposite: 'allows' }),
    purposes: purposes.join(', '),
    ...{ line: opposite.record.line, field: opposite.record.field },
  });
}
