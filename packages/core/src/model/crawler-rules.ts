// The rules that a crawler obeys in a file. The first decisions read the file line by line; when there are more, the rules are compiled.
// Both give the same results.
import { freezeDeep } from '../bytes/freeze.ts';
import { MATCH_BYTES, RULESET_BYTES } from '../bytes/memory.ts';
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import type { AgentTokens } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { toPatterns } from '../matching/create-rule-table.ts';
import { compileRules, type Matcher } from '../matching/matcher.ts';
import {
  comparesAsWritten,
  decideOnce,
  type MatchedRule,
  type OnceDecision,
  readMatch,
} from '../matching/one-shot.ts';
import { NONE } from '../matching/rule-table.ts';
import { collectRules, type NamedTokens } from '../syntax/collect.ts';
import { readGroups } from '../syntax/groups.ts';
import { getKernel } from '../syntax/kernel.ts';
import type { Group, Rule, UserAgentRecord } from '../syntax/record.ts';
import type { Source } from './source.ts';
import type { GroupSelection, Match } from './verdict.ts';

const MAX_MATCHES = 8;

/**
 * Number of decisions after which the rules are compiled (bench/thresholds.mjs). The kernel reads a file so fast that compiling pays
 * later.
 */
function getDecisionsBeforeTable(): number {
  return getKernel() === undefined ? 1 : 16;
}

const GLOBAL_GROUP: GroupSelection = /* @__PURE__ */ freezeDeep({ kind: 'global' });
const NO_GROUP: GroupSelection = /* @__PURE__ */ freezeDeep({ kind: 'none' });

/** The rules that a crawler obeys in a file. */
export class CrawlerRules {
  readonly source: Source;
  readonly agentTokens: AgentTokens;
  /** The bit of the selected groups (collect.ts); `undefined` until they are known. */
  #chosen: number | undefined;
  #group: GroupSelection | undefined;
  /** Finds rules when they are compiled; before that, the number of decisions. */
  #matcher: Matcher | number;
  /** Matches of the last decisions by the position of the rule, which are frozen. */
  #matches: Map<number, Match> | undefined;

  /**
   * @param chosen - the bit of the selected groups, if it is known.
   * @param matcher - the compiled rules, if another crawler that obeys the same groups shares them.
   */
  constructor(source: Source, agentTokens: AgentTokens, chosen?: number, matcher?: Matcher) {
    this.source = source;
    this.agentTokens = agentTokens;
    this.#chosen = chosen;
    this.#matcher = matcher ?? 0;
  }

  /** Current memory in bytes (estimate), without the document. It grows with use. */
  get sizeInBytes(): number {
    const matcher = this.#matcher;
    const bytes = RULESET_BYTES + (this.#matches?.size ?? 0) * MATCH_BYTES;
    return bytes + (typeof matcher === 'number' ? 0 : matcher.sizeInBytes);
  }

  /** The compiled rules. They are compiled on the first access. */
  get matcher(): Matcher {
    const current = this.#matcher;
    if (typeof current !== 'number') return current;
    const { text = '', context } = this.source;
    const lines = this.source.readRuleLines();
    const { chosen, rules, named } = collectRules(lines, this.agentTokens);
    const matcher = compileRules(text, lines.bytes, rules, context.profile);
    this.#select(chosen, named);
    this.#matcher = matcher;
    return matcher;
  }

  /** The bit of the selected groups (collect.ts); 0 if no group applies. */
  get chosen(): number {
    if (this.#chosen === undefined) void this.matcher;
    return this.#chosen as number;
  }

  get groupKind(): GroupSelection['kind'] {
    return getGroupKind(this.agentTokens, this.chosen);
  }

  /** The groups that apply, and the reason. The object is frozen. */
  get group(): GroupSelection {
    const { chosen } = this;
    if (this.#group === undefined) this.#select(chosen, undefined);
    return this.#group as GroupSelection;
  }

  /** @param named - the tokens that groups name, if they are known. They matter if there are several of the same rank. */
  #select(chosen: number, named: NamedTokens): void {
    this.#chosen = chosen;
    const agentTokens = this.agentTokens;
    const rank = 31 - Math.clz32(chosen);
    if (chosen === 0) this.#group = NO_GROUP;
    else if (rank === agentTokens.tokenSets.length) this.#group = GLOBAL_GROUP;
    else this.#group = agentTokens.selections[rank] ?? this.#readSelection(named);
  }

  /** Reads which of several bare tokens groups name. */
  #readSelection(named: NamedTokens): GroupSelection {
    const { tokens } = this;
    const groups = named === undefined ? this.readGroups() : [];
    const isNamed = (token: string): boolean =>
      named?.has(token) ?? groups.some((group) => groupNamesToken(group, token));
    return freezeDeep({ kind: 'own', tokens: tokens.filter(isNamed) });
  }

  /** The token set of the selected groups. */
  get tokens(): readonly string[] {
    const { tokenSets } = this.agentTokens;
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

  /** Decides the path from `start` to the end of `text`. */
  decide(text: string, start: number): RuleResult {
    const once = this.#decideOnce(text, start);
    if (once !== undefined) {
      const match = this.#readMatch(readMatch(once, false));
      return { chosen: once.chosen, allowed: once.allowed, match, overridden: readMatch(once, true) ?? null };
    }
    const { chosen, matcher } = this;
    const entry = findEntry(matcher, this.source.context.profile, text, start);
    const match = this.#readMatch(readEntry(matcher, entry));
    return { chosen, allowed: entry === NONE || !matcher.table.forbids(entry), match, overridden: undefined };
  }

  /**
   * Reads the best match of the opposite kind (allow or disallow) of the deciding rule.
   *
   * @param known - what {@link decide} returned for the path.
   * @internal
   */
  readOverridden(path: string, known: RuleResult['overridden']): Match | null {
    return this.#readMatch(
      known === undefined ? locateOverridden(this.matcher, this.source.context.profile, path) : known,
    );
  }

  /** Reads a match. The last ones stay in memory, because many URLs match the same rules. */
  #readMatch(matched: MatchedRule | null | undefined): Match | null {
    if (matched === undefined || matched === null) return null;
    const { line, valueStart, isDirectory } = matched;
    const key = 2 * valueStart + Number(isDirectory);
    const stored = this.#matches?.get(key);
    if (stored !== undefined) return stored;
    const rule = this.source.readRecord(line, valueStart) as Rule;
    const patterns = toPatterns(rule.value, rule.kind === 'allow', this.source.context.profile);
    const match: Match = { rule, pattern: patterns[isDirectory ? 1 : 0] as string };
    // Most rulesets decide once. Only what several verdicts share must be frozen.
    if (this.#matcher === 1) return match;
    if (this.#matches === undefined || this.#matches.size === MAX_MATCHES) this.#matches = new Map();
    this.#matches.set(key, freezeDeep(match));
    return match;
  }

  /** Decides without compiled rules. Returns `undefined` if they exist or are needed. */
  #decideOnce(text: string, start: number): OnceDecision | undefined {
    const decisions = this.#matcher;
    if (typeof decisions !== 'number' || decisions >= getDecisionsBeforeTable()) return undefined;
    const { profile } = this.source.context;
    if (!comparesAsWritten(profile)) return undefined;
    this.#matcher = decisions + 1;
    const lines = this.source.readRuleLines({ text, start });
    const once = decideOnce(lines, profile, this.agentTokens, text, start);
    if (once !== undefined && this.#group === undefined) this.#select(once.chosen, once.named);
    return once;
  }
}

export interface RuleResult {
  /** The bit of the selected groups (collect.ts); 0 if no group applies. */
  readonly chosen: number;
  readonly allowed: boolean;
  /** The deciding rule; `null` if none matches. */
  readonly match: Match | null;
  /** The best match of the opposite kind; `null` if there is none, and `undefined` if it is not known. */
  readonly overridden: MatchedRule | null | undefined;
}

/** Finds the winning entry for the path from `start` to the end of `text`; {@link NONE} if no rule matches. */
function findEntry(matcher: Matcher, { comparison }: Profile, text: string, start: number): number {
  if (comparison !== 'decoded') return matcher.find(text, start);
  return Math.min(...toComparedPaths(text.slice(start)).map((form) => matcher.find(form, 0)));
}

/** Finds the best match of the opposite kind of the deciding rule. */
function locateOverridden(matcher: Matcher, profile: Profile, path: string): MatchedRule | undefined {
  const entry = findEntry(matcher, profile, path, 0);
  if (entry === NONE) return undefined;
  const { isAllow } = matcher.table.read(entry);
  const forms = profile.comparison === 'decoded' ? toComparedPaths(path) : [path];
  return readEntry(matcher, Math.min(...forms.map((form) => matcher.findOfKind(!isAllow, form))));
}

function readEntry({ table }: Matcher, entry: number): MatchedRule | undefined {
  if (entry === NONE) return undefined;
  const { valueStart, isDirectory } = table.read(entry);
  return { line: table.line(entry), valueStart, isDirectory };
}

function groupNamesToken({ userAgents }: Group, token: string): boolean {
  return userAgents.some((userAgent) => namesToken(userAgent, token));
}

function namesToken({ productToken: product, extendedToken }: UserAgentRecord, token: string): boolean {
  const wanted = token.toLowerCase();
  return product === wanted || extendedToken === wanted;
}

/** Returns the kind of the groups with a bit (collect.ts). */
export function getGroupKind({ tokenSets }: AgentTokens, chosen: number): GroupSelection['kind'] {
  if (chosen === 0) return 'none';
  if (chosen === 1 << tokenSets.length) return 'global';
  return chosen === 1 ? 'own' : 'fallback';
}
