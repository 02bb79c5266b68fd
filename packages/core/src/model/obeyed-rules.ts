/**
 * The rules that a crawler obeys in a file. The first decisions read the file line by line; when there are more, the rules are compiled.
 * Both give the same results.
 *
 * @module
 */
import { estimateStringBytes, RULESET_BYTES } from '../bytes/memory.ts';
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import type { CompiledRules, Matcher } from '../matching/engine.ts';
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
  #compiled: CompiledRules | number;

  /**
   * Use `RobotsTxt.ruleset`.
   *
   * @param chosen - the bit of the selected groups, if it is known.
   * @param compiled - the compiled rules, if another crawler that obeys the same groups shares them.
   */
  constructor(source: Source, preference: Preference, chosen?: number, compiled?: CompiledRules) {
    this.#source = source;
    this.#preference = preference;
    this.#chosen = chosen;
    this.#compiled = compiled ?? 0;
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
    if (typeof compiled === 'string') return RULESET_BYTES + estimateStringBytes(compiled);
    return RULESET_BYTES + (typeof compiled === 'number' ? 0 : compiled.sizeInBytes);
  }

  /**
   * The compiled rules. They are compiled on the first access.
   *
   * @internal
   */
  get compiled(): CompiledRules {
    const current = this.#compiled;
    if (typeof current !== 'number') return current;
    const source = this.#source;
    const { context, text = '' } = source;
    const lines = source.readRuleLines();
    const { chosen, rules } = collectRules(lines, this.#preference);
    const ranked = rankPatterns(text, lines.bytes, rules, context.profile);
    const compiled = context.engine.compile(text, ranked);
    this.#chosen = chosen;
    this.#compiled = compiled;
    return compiled;
  }

  /** @internal */
  get matcher(): Matcher {
    const { compiled } = this;
    const { context, storedText } = this.#source;
    return typeof compiled === 'string' ? context.engine.readTable(storedText, compiled) : compiled;
  }

  /**
   * The bit of the selected groups (collect.ts); 0 if no group applies.
   *
   * @internal
   */
  get chosen(): number {
    if (this.#chosen === undefined) void this.compiled;
    return this.#chosen as number;
  }

  /** The kind of {@link group}. */
  get groupKind(): GroupSelection['kind'] {
    return getGroupKind(this.#preference, this.chosen);
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
    const rank = 31 - Math.clz32(this.chosen);
    return rank === tokenSets.length ? ['*'] : (tokenSets[rank] ?? []);
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
    const once = this.decideOnce(text, start);
    if (once !== undefined) return once;
    const { chosen, matcher } = this;
    const entry = findEntry(matcher, this.#source.context.profile, text, start);
    if (entry === NONE) return { chosen, line: 0, allowed: true };
    const { table } = matcher;
    return { chosen, line: table.line(entry), allowed: !table.forbids(entry) };
  }

  /** @internal */
  findMatch(path: string, isOverridden: boolean): Match | null {
    const { context } = this.#source;
    const once = this.decideOnce(path, 0);
    const match =
      once === undefined
        ? locateMatch(this.matcher, context.profile, path, isOverridden)
        : readMatch(once, isOverridden);
    if (match === undefined) return null;
    const rule = this.#source.readRecord(match.line, match.valueStart) as Rule;
    const patterns = toPatterns(rule.value, rule.kind === 'allow', context.profile);
    return { rule, pattern: patterns[match.isDirectory ? 1 : 0] as string };
  }

  /**
   * Decides without compiled rules. Returns `undefined` if they exist or are needed.
   *
   * @internal
   */
  decideOnce(text: string, start: number): OnceDecision | undefined {
    const decisions = this.#compiled;
    if (typeof decisions !== 'number' || decisions >= DECISIONS_BEFORE_TABLE) return undefined;
    const { profile } = this.#source.context;
    if (!comparesAsWritten(profile)) return undefined;
    this.#compiled = decisions + 1;
    const lines = this.#source.readRuleLines({ text, start });
    const once = decideOnce(lines, profile, this.#preference, text, start);
    this.#chosen ??= once?.chosen;
    return once;
  }
}

/** Finds the winning entry for the path from `start` to the end of `text`; {@link NONE} if no rule matches. */
function findEntry(matcher: Matcher, { comparison }: Profile, text: string, start: number): number {
  if (comparison !== 'decoded') return matcher.find(text, start);
  return Math.min(...toComparedPaths(text.slice(start)).map((form) => matcher.find(form, 0)));
}

/** Finds the deciding rule, or the best match of the opposite kind. */
function locateMatch(
  matcher: Matcher,
  profile: Profile,
  path: string,
  isOverridden: boolean,
): MatchedRule | undefined {
  const { table } = matcher;
  let entry = findEntry(matcher, profile, path, 0);
  if (entry === NONE) return undefined;
  if (isOverridden) {
    const { isAllow } = table.read(entry);
    const forms = profile.comparison === 'decoded' ? toComparedPaths(path) : [path];
    entry = Math.min(...forms.map((form) => matcher.findOfKind(!isAllow, form)));
    if (entry === NONE) return undefined;
  }
  const { valueStart, isDirectory } = table.read(entry);
  return { line: table.line(entry), valueStart, isDirectory };
}

function groupNamesToken({ userAgents }: Group, token: string): boolean {
  return userAgents.some((userAgent) => namesToken(userAgent, token));
}

/** Whether a user-agent record names a token. */
function namesToken({ productToken: product, extendedToken }: UserAgentRecord, token: string): boolean {
  const wanted = token.toLowerCase();
  return product === wanted || extendedToken === wanted;
}

/** Returns the kind of the groups with a bit (collect.ts). */
export function getGroupKind({ tokenSets }: Preference, chosen: number): GroupSelection['kind'] {
  if (chosen === 0) return 'none';
  if (chosen === 1 << tokenSets.length) return 'global';
  return chosen === 1 ? 'own' : 'fallback';
}
