/**
 * A crawler's ruleset: the rules of the groups that apply to it, ready to decide URLs (RFC 9309 section 2.2).
 *
 * @module
 */
import { type CrawlerLike, isSameToken, type Preference, preferenceOf } from './crawler.ts';
import type { RobotsTxt } from './document.ts';
import { directoryPattern, matchesPattern } from './pattern.ts';
import { comparisonForm } from './percent-encoding.ts';
import type { Profile } from './profile.ts';
import type { Group, RobotsRecord, Rule } from './record.ts';
import { findTarget } from './target.ts';
import { type GroupChoice, type Match, makeVerdict, type Verdict } from './verdict.ts';

/** How to read a URL. */
export interface DecideOptions {
  /**
   * Bring the URL to the form in which a crawler requests it (default). `false`: take the string as it is, as Google's
   * matcher does.
   */
  readonly normalize?: boolean;
}

/** One pattern of a rule. */
interface Candidate extends Match {
  /** The pattern in the form in which it is compared. */
  readonly compared: string;
  /** The pattern's length in bytes as it is written: patterns are ASCII. */
  readonly priority: number;
}

/** The rules that one crawler obeys in one robots.txt. Immutable. */
export class Ruleset {
  /** Which groups the rules are from, and why. */
  readonly group: GroupChoice;
  /** The rules in the order of the file. */
  readonly rules: readonly Rule[];
  /** Other records of the groups in use, such as crawl-delay. They never change a decision. */
  readonly others: readonly RobotsRecord[];
  private readonly robots: RobotsTxt;
  private readonly exempt: boolean;
  private readonly allows: readonly Candidate[];
  private readonly disallows: readonly Candidate[];

  /** Use {@link RobotsTxt.ruleset}. */
  constructor(robots: RobotsTxt, crawler: CrawlerLike) {
    const preference = preferenceOf(crawler);
    const { group, chosen } = chooseGroups(robots.groups(), preference);
    this.robots = robots;
    this.group = group;
    this.exempt = preference.exempt;
    this.rules = chosen.flatMap(({ rules }) => rules);
    this.others = chosen.flatMap(({ others }) => others);
    const candidates = this.rules.flatMap((rule) => candidatesOf(rule, robots.profile));
    this.allows = candidates.filter(({ rule }) => rule.kind === 'allow');
    this.disallows = candidates.filter(({ rule }) => rule.kind === 'disallow');
  }

  /** Seconds between requests that the groups in use ask for (`Crawl-delay`, for those who obey it), or `null`. */
  get crawlDelay(): number | null {
    const record = this.others.find(({ field }) => field.toLowerCase() === 'crawl-delay');
    return record !== undefined && /^\d+(\.\d+)?$|^\.\d+$/.test(record.value) ? Number(record.value) : null;
  }

  /**
   * Decides whether the crawler may fetch `url`.
   *
   * @param url - an absolute URL, or a path on the file's own origin if it begins with a single `/`.
   */
  decide(url: string, options: DecideOptions = {}): Verdict {
    const { robots, group } = this;
    const target = findTarget(url, robots.scope, options.normalize ?? true);
    if ('outOfScope' in target) return { kind: 'out-of-scope', reason: target.outOfScope, url };
    const facts = { group, ...target };
    const { robotsTxtAllowed, comparison } = robots.profile;
    if (this.exempt) return makeVerdict(true, { ...facts, because: 'crawler-exempt' });
    if (robotsTxtAllowed && target.path === '/robots.txt') {
      return makeVerdict(true, { ...facts, because: 'robots-txt' });
    }
    if (group.kind === 'none') return makeVerdict(true, { ...facts, because: 'no-group' });

    const path = comparison === 'decoded' ? comparisonForm(target.path, false) : target.path;
    const allow = longestMatch(this.allows, path);
    const disallow = longestMatch(this.disallows, path);
    const disallowWins = (disallow?.priority ?? -1) > (allow?.priority ?? -1);
    const [winner, loser] = disallowWins ? [disallow, allow] : [allow, disallow];
    if (winner === undefined) return makeVerdict(true, { ...facts, because: 'no-rule-matched' });
    const { rule, pattern } = winner;
    const forbids = disallowWins && pattern !== '';
    return makeVerdict(!forbids, {
      ...facts,
      because: 'rule',
      rule,
      pattern,
      line: rule.line,
      loser: loser === undefined ? null : { rule: loser.rule, pattern: loser.pattern },
    });
  }
}

/** The matching candidate with the highest priority; of equal ones the first in the file. */
function longestMatch(candidates: readonly Candidate[], path: string): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (best !== undefined && candidate.priority <= best.priority) continue;
    if (matchesPattern(path, candidate.compared)) best = candidate;
  }
  return best;
}

/** The patterns that a rule stands for under a profile. */
function candidatesOf(rule: Rule, profile: Profile): Candidate[] {
  const { value } = rule;
  const slash = profile.missingSlash === 'added' && value !== '' && !/^[/*]/.test(value) ? '/' : '';
  const pattern = slash + value;
  const directory = profile.indexPages && rule.kind === 'allow' ? directoryPattern(pattern) : undefined;
  return (directory === undefined ? [pattern] : [pattern, directory]).map((pattern) => ({
    rule,
    pattern,
    compared: profile.comparison === 'decoded' ? comparisonForm(pattern, true) : pattern,
    priority: pattern.length,
  }));
}

/** The groups that apply to a crawler: those that name its most preferred token, else those for `*`, else none. */
function chooseGroups(
  groups: readonly Group[],
  { sets, obeysGlobal }: Preference,
): { group: GroupChoice; chosen: readonly Group[] } {
  for (const [rank, names] of sets.entries()) {
    const tokens = names.filter((name) => groups.some((group) => isNamed(group, name)));
    if (tokens.length === 0) continue;
    const chosen = groups.filter((group) => tokens.some((token) => isNamed(group, token)));
    return { group: { kind: rank === 0 ? 'own' : 'fallback', tokens }, chosen };
  }
  const chosen = obeysGlobal ? groups.filter(isGlobal) : [];
  return { group: { kind: chosen.length > 0 ? 'global' : 'none' }, chosen };
}

function isNamed({ userAgents }: Group, name: string): boolean {
  return userAgents.some(({ token }) => isSameToken(token, name));
}

function isGlobal({ userAgents }: Group): boolean {
  return userAgents.some(({ token }) => token === '*');
}
