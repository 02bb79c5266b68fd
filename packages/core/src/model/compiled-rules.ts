/**
 * The compiled rules of the groups that a crawler obeys in a file, and the explanation of decisions based on them.
 *
 * @module
 */
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Matcher } from '../matching/engine.ts';
import { rankPatterns, toPatterns } from '../matching/ranked-patterns.ts';
import { NONE, type RuleTable } from '../matching/rule-table.ts';
import { readGroups } from '../syntax/groups.ts';
import type { Group, Rule, UserAgentRecord } from '../syntax/record.ts';
import type { Explainer } from './decision.ts';
import type { Source } from './source.ts';
import type { GroupSelection, Match } from './verdict.ts';

/** Compiled rules. Crawlers that obey the same groups can share a table and a matcher. */
export class CompiledRules implements Explainer {
  readonly source: Source;
  readonly preference: Preference;
  /** The bit of the selected groups (collect.ts). */
  readonly chosen: number;
  readonly table: RuleTable;
  readonly matcher: Matcher;

  constructor(source: Source, preference: Preference, chosen: number, table: RuleTable, matcher: Matcher) {
    this.source = source;
    this.preference = preference;
    this.chosen = chosen;
    this.table = table;
    this.matcher = matcher;
  }

  get groupKind(): GroupSelection['kind'] {
    return getGroupKind(this.chosen, this.preference);
  }

  get group(): GroupSelection {
    const { groupKind } = this;
    if (groupKind === 'global' || groupKind === 'none') return { kind: groupKind };
    const groups = this.readGroups();
    const isNamed = (token: string): boolean => groups.some((group) => groupNamesToken(group, token));
    return { kind: groupKind, tokens: this.tokens.filter(isNamed) };
  }

  /** The token set of the selected groups. */
  get tokens(): readonly string[] {
    const { tokenSets } = this.preference;
    // The position of the bit; -1 for 0.
    const rank = 31 - Math.clz32(this.chosen);
    return rank === tokenSets.length ? ['*'] : (tokenSets[rank] ?? []);
  }

  /** Reads the selected groups. */
  readGroups(): Group[] {
    const { tokens } = this;
    const isSelected = (group: Group): boolean => tokens.some((token) => groupNamesToken(group, token));
    return readGroups(this.source.scan()).filter(isSelected);
  }

  readMatch(entry: number): Match | null {
    if (entry === NONE) return null;
    const { table, source } = this;
    const { valueStart, isDirectory } = table.read(entry);
    const rule = source.readRecord(table.line(entry), valueStart) as Rule;
    const patterns = toPatterns(rule.value, rule.kind === 'allow', source.context.profile);
    return { rule, pattern: patterns[isDirectory ? 1 : 0] as string };
  }

  findOverriddenMatch(entry: number, path: string): Match | null {
    if (entry === NONE) return null;
    const isAllow = !this.table.read(entry).isAllow;
    const isDecoded = this.source.context.profile.comparison === 'decoded';
    const forms = isDecoded ? toComparedPaths(path) : [path];
    return this.readMatch(Math.min(...forms.map((form) => this.matcher.findOfKind(isAllow, form))));
  }
}

/** Collects the rules of the groups that apply to a crawler, and compiles them. */
export function compileRules(source: Source, preference: Preference): CompiledRules {
  const { content, bytes, context } = source;
  const { engine, profile } = context;
  const { chosen, rules } = engine.collect(bytes, profile.fieldNames === 'exact', preference);
  const table = engine.createTable(content, rankPatterns(content, bytes, rules, profile));
  return new CompiledRules(source, preference, chosen, table, engine.createMatcher(table));
}

/** Converts the bit of the selected groups (collect.ts) to their kind. */
export function getGroupKind(chosen: number, { tokenSets }: Preference): GroupSelection['kind'] {
  if (chosen === 0) return 'none';
  if (chosen === 1 << tokenSets.length) return 'global';
  return chosen === 1 ? 'own' : 'fallback';
}

function groupNamesToken({ userAgents }: Group, token: string): boolean {
  return userAgents.some((userAgent) => recordNamesToken(userAgent, token));
}

/** Whether a user-agent record names a token. */
export function recordNamesToken(
  { productToken: product, extendedToken }: UserAgentRecord,
  token: string,
): boolean {
  const wanted = token.toLowerCase();
  return product === wanted || extendedToken === wanted;
}
