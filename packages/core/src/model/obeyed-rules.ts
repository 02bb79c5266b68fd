/**
 * The rules that a crawler obeys in a file. The first decisions read the file line by line; when there are more, the rules are compiled.
 * Both give the same results.
 *
 * @module
 */
import { RULESET_BYTES } from '../bytes/memory.ts';
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Matcher } from '../matching/engine.ts';
import {
  comparesAsWritten,
  decideOnce,
  type MatchedRule,
  type OnceDecision,
  type RuleDecision,
  readMatch,
} from '../matching/one-shot.ts';
import { rankPatterns, toPatterns } from '../matching/ranked-patterns.ts';
import { NONE } from '../matching/rule-table.ts';
import { collectRules } from '../syntax/collect.ts';
import { readGroups } from '../syntax/groups.ts';
import type { Group, Rule, UserAgentRecord } from '../syntax/record.ts';
import type { Source } from './source.ts';
import type { GroupSelection, Match } from './verdict.ts';

/** Number of decisions after which the rules are compiled. */
const DECISIONS_BEFORE_TABLE = 16;

/** The rules that a crawler obeys. `Ruleset` extends it, because a second object takes memory. Declaration files omit internal members. */
export class ObeyedRules {
  readonly #source: Source;
  readonly #preference: Preference;
  /** The bit of the selected groups (collect.ts); `undefined` until they are known. */
  #chosen: number | undefined;
  /** The compiled rules, or the number of decisions without them. */
  #compiled: Matcher | number;

  /**
   * Use `RobotsTxt.ruleset`.
   *
   * @param chosen - the bit of the selected groups, if it is known.
   * @param matcher - the compiled rules, if another crawler that obeys the same groups shares them.
   */
  constructor(source: Source, preference: Preference, chosen?: number, matcher?: Matcher) {
    this.#source = source;
    this.#preference = preference;
    this.#chosen = chosen;
    this.#compiled = matcher ?? 0;
  }

  /** @internal */
  get source(): Source {
    return this.#source;
  }

  /** @internal */
  get preference(): Preference {
    return this.#preference;
  }

  /** Current memory in bytes (estimate), without the document. It grows with use. */
  get sizeInBytes(): number {
    const compiled = this.#compiled;
    return RULESET_BYTES + (typeof compiled === 'number' ? 0 : compiled.sizeInBytes);
  }

  /**
   * The compiled rules. They are compiled on the first access.
   *
   * @internal
   */
  get matcher(): Matcher {
    const compiled = this.#compiled;
    return typeof compiled === 'number' ? this.#compile() : compiled;
  }

  #compile(): Matcher {
    const source = this.#source;
    const { context, text = '' } = source;
    const lines = source.readRuleLines();
    const { chosen, rules } = collectRules(lines, this.#preference);
    const ranked = rankPatterns(text, lines.bytes, rules, context.profile);
    const matcher = context.engine.createMatcher(text, ranked);
    this.#chosen = chosen;
    this.#compiled = matcher;
    return matcher;
  }

  /** The kind of {@link group}. */
  get groupKind(): GroupSelection['kind'] {
    const { tokenSets } = this.#preference;
    const chosen = this.#selected;
    if (chosen === 0) return 'none';
    if (chosen === 1 << tokenSets.length) return 'global';
    return chosen === 1 ? 'own' : 'fallback';
  }

  /** The groups that apply, and the reason. */
  get group(): GroupSelection {
    const { groupKind } = this;
    if (groupKind === 'global' || groupKind === 'none') return { kind: groupKind };
    const groups = this.readGroups();
    const isNamed = (token: string): boolean => groups.some((group) => groupNamesToken(group, token));
    return { kind: groupKind, tokens: this.tokens.filter(isNamed) };
  }

  /**
   * The token set of the selected groups.
   *
   * @internal
   */
  get tokens(): readonly string[] {
    const { tokenSets } = this.#preference;
    // The position of the bit; -1 for 0.
    const rank = 31 - Math.clz32(this.#selected);
    return rank === tokenSets.length ? ['*'] : (tokenSets[rank] ?? []);
  }

  get #selected(): number {
    if (this.#chosen === undefined) this.#compile();
    return this.#chosen as number;
  }

  /**
   * Reads the selected groups.
   *
   * @internal
   */
  readGroups(): Group[] {
    const { tokens } = this;
    const isSelected = (group: Group): boolean => tokens.some((token) => groupNamesToken(group, token));
    return readGroups(this.#source.scan()).filter(isSelected);
  }

  /**
   * Decides the path from `start` to the end of `text`.
   *
   * @returns a result that is valid until the next decision.
   * @internal
   */
  decideByRules(text: string, start: number): RuleDecision {
    const once = this.#decideOnce(text, start);
    if (once !== undefined) return once;
    const chosen = this.#selected;
    const entry = this.#find(text, start);
    if (entry === NONE) return { chosen, line: 0, allowed: true };
    const { table } = this.matcher;
    return { chosen, line: table.line(entry), allowed: !table.forbids(entry) };
  }

  /** @internal */
  findMatch(path: string, isOverridden: boolean): Match | null {
    const match = this.#locateMatch(path, isOverridden);
    if (match === undefined) return null;
    const rule = this.#source.readRecord(match.line, match.valueStart) as Rule;
    const patterns = toPatterns(rule.value, rule.kind === 'allow', this.#source.context.profile);
    return { rule, pattern: patterns[match.isDirectory ? 1 : 0] as string };
  }

  #locateMatch(path: string, isOverridden: boolean): MatchedRule | undefined {
    const once = this.#decideOnce(path, 0);
    if (once !== undefined) return readMatch(once, isOverridden);
    const entry = this.#find(path, 0);
    if (entry === NONE || !isOverridden) return this.#readEntry(entry);
    const { matcher } = this;
    const isAllow = !matcher.table.read(entry).isAllow;
    const entries = this.#getForms(path, 0).map((form) => matcher.findOfKind(isAllow, form));
    return this.#readEntry(Math.min(...entries));
  }

  /** Decides without compiled rules. Returns `undefined` if they exist or are needed. */
  #decideOnce(text: string, start: number): OnceDecision | undefined {
    const decisions = this.#compiled;
    const { profile } = this.#source.context;
    if (typeof decisions !== 'number' || decisions >= DECISIONS_BEFORE_TABLE || !comparesAsWritten(profile))
      return undefined;
    this.#compiled = decisions + 1;
    const once = decideOnce(
      this.#source.readRuleLines({ text, start }),
      profile,
      this.#preference,
      text,
      start,
    );
    this.#chosen ??= once?.chosen;
    return once;
  }

  /** Finds the winning entry of the compiled rules; {@link NONE} if no rule matches. */
  #find(text: string, start: number): number {
    const { matcher } = this;
    if (this.#selected === 0) return NONE;
    if (this.#source.context.profile.comparison !== 'decoded') return matcher.find(text, start);
    return Math.min(...this.#getForms(text, start).map((form) => matcher.find(form, 0)));
  }

  /** Returns the forms of a path that are compared with the patterns. */
  #getForms(text: string, start: number): string[] {
    const path = text.slice(start);
    return this.#source.context.profile.comparison === 'decoded' ? toComparedPaths(path) : [path];
  }

  #readEntry(entry: number): MatchedRule | undefined {
    if (entry === NONE) return undefined;
    const { table } = this.matcher;
    const { valueStart, isDirectory } = table.read(entry);
    return { line: table.line(entry), valueStart, isDirectory };
  }
}

function groupNamesToken({ userAgents }: Group, token: string): boolean {
  return userAgents.some((userAgent) => namesToken(userAgent, token));
}

/** Whether a user-agent record names a token. */
export function namesToken(
  { productToken: product, extendedToken }: UserAgentRecord,
  token: string,
): boolean {
  const wanted = token.toLowerCase();
  return product === wanted || extendedToken === wanted;
}
