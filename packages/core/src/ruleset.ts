/**
 * A crawler's ruleset: the rules of the groups that apply to it, ready to decide URLs (RFC 9309 section 2.2).
 *
 * @module
 */

import { readCrawlDelay } from './crawl-delay.ts';
import type { Preference } from './crawler.ts';
import { Decision } from './decision.ts';
import type { RobotsTxt } from './document.ts';
import type { Engine, Matcher } from './engine.ts';
import { RULESET_BYTES } from './memory.ts';
import { comparedPaths } from './percent-encoding.ts';
import { rankPatterns } from './ranked-patterns.ts';
import type { Group, RobotsRecord, Rule, UserAgentRecord } from './record.ts';
import { NONE, type RuleTable } from './rule-table.ts';
import { findTarget } from './target.ts';
import type { Because, GroupChoice, Verdict } from './verdict.ts';

/** How to read a URL. */
export interface DecideOptions {
  /**
   * Bring the URL to the form in which a crawler requests it (default). `false`: take the string as it is, as Google's
   * matcher does.
   */
  readonly normalize?: boolean;
}

/** The rules of the groups that apply to a crawler, ready to be matched. */
export interface CompiledRules {
  /** The bit of these groups (collect.ts). */
  readonly chosen: number;
  readonly table: RuleTable;
  readonly matcher: Matcher;
}

/** Collects the rules of the groups that apply to a crawler, and compiles them. `content` is the document's. */
export function compileRules(
  { bytes, profile }: RobotsTxt,
  content: string,
  preference: Preference,
  engine: Engine,
): CompiledRules {
  const { chosen, rules } = engine.collect(bytes, profile.fieldNames === 'exact', preference);
  const table = engine.table(content, rankPatterns(content, bytes, rules, profile));
  return { chosen, table, matcher: engine.matcher(table) };
}

/**
 * The rules that one crawler obeys in one robots.txt. Its answers never change. What it keeps is a packed table of the
 * rules and what its engine needs; everything else is read from the document when it is asked for.
 */
export class Ruleset {
  /** The document that the rules are from. */
  readonly robots: RobotsTxt;
  /** The rules, packed (rule-table.ts). */
  readonly table: RuleTable;
  /** The bit of the groups in use (collect.ts). */
  readonly #chosen: number;
  readonly #preference: Preference;
  readonly #matcher: Matcher;

  /** Use {@link RobotsTxt.ruleset}. */
  constructor(robots: RobotsTxt, preference: Preference, { chosen, table, matcher }: CompiledRules) {
    this.robots = robots;
    this.table = table;
    this.#preference = preference;
    this.#chosen = chosen;
    this.#matcher = matcher;
  }

  /** The ruleset of another crawler that obeys the same groups, as SharedRulesets finds them. It shares the compiled rules. */
  share(preference: Preference, chosen: number): Ruleset {
    return new Ruleset(this.robots, preference, { chosen, table: this.table, matcher: this.#matcher });
  }

  /** Memory in bytes that the ruleset takes now, without the document. */
  get sizeInBytes(): number {
    return RULESET_BYTES + this.#matcher.sizeInBytes;
  }

  /** Whose groups the rules are from. */
  get groupKind(): GroupChoice['kind'] {
    return groupKindOf(this.#chosen, this.#preference);
  }

  /** Which groups the rules are from, and why. */
  get group(): GroupChoice {
    const { groupKind } = this;
    if (groupKind === 'global' || groupKind === 'none') return { kind: groupKind };
    const groups = this.#groups();
    const isInGroup = (token: string): boolean => groups.some((group) => names(group, token));
    return { kind: groupKind, tokens: this.#tokens().filter(isInGroup) };
  }

  /** The rules in the order of the file. */
  get rules(): Rule[] {
    return this.#groups().flatMap(({ rules }) => rules);
  }

  /** Other records of the groups in use, such as crawl-delay. They never change a decision. */
  get others(): RobotsRecord[] {
    return this.#groups().flatMap(({ others }) => others);
  }

  /**
   * Seconds between requests that the site requests of the crawler, or `null`: the largest `Crawl-delay` of its groups. For this
   * record alone a crawl-delay line ends the list of user-agent lines, as the crawlers that obey it read it.
   */
  get crawlDelay(): number | null {
    return readCrawlDelay(this.robots.scan(), (agent) =>
      this.#tokens().some((token) => isNamed(agent, token)),
    );
  }

  /**
   * Decides whether the crawler may fetch `url`.
   *
   * @param url - an absolute URL, or a path on the file's own origin if it begins with a single `/`.
   * @throws {TypeError} if `url` is no string. What is in the string is never an error.
   */
  decide(url: string, options?: DecideOptions): Verdict {
    if (typeof url !== 'string') throw new TypeError(`a URL is given as a string, not as ${String(url)}`);
    const normalize = options?.normalize ?? true;
    if (normalize) {
      const start = this.robots.pathStart(url);
      if (start >= 0) return this.#decidePath(url, start, false);
    }
    const target = findTarget(url, this.robots.scope, normalize);
    if ('outOfScope' in target) return { kind: 'out-of-scope', reason: target.outOfScope, url };
    return this.#decidePath(target.path, 0, target.normalized);
  }

  /** Decides about the path from `start` to the end of `text`. */
  #decidePath(text: string, start: number, normalized: boolean): Verdict {
    const { robotsTxtAllowed, comparison } = this.robots.profile;
    let because: Because = 'no-rule-matched';
    let entry = NONE;
    if (this.#preference.exempt) because = 'crawler-exempt';
    else if (comparison === 'decoded' || robotsTxtAllowed) {
      const forms = comparison === 'decoded' ? comparedPaths(text.slice(start)) : [text.slice(start)];
      if (robotsTxtAllowed && forms[0] === '/robots.txt') because = 'robots-txt';
      else if (this.#chosen === 0) because = 'no-group';
      else entry = Math.min(...forms.map((form) => this.#matcher.find(form, 0)));
    } else if (this.#chosen === 0) because = 'no-group';
    else entry = this.#matcher.find(text, start);
    if (entry !== NONE) because = 'rule';
    return new Decision(this, entry, because, text, start, normalized).asVerdict();
  }

  /** The entry of the table, of one kind, that would win for a path if there were only that kind. */
  findKind(isAllow: boolean, path: string): number {
    const isDecoded = this.robots.profile.comparison === 'decoded';
    const forms = isDecoded ? comparedPaths(path) : [path];
    return Math.min(...forms.map((form) => this.#matcher.findKind(isAllow, form)));
  }

  /** The groups in use. */
  #groups(): Group[] {
    const tokens = this.#tokens();
    return this.robots.groups().filter((group) => tokens.some((token) => names(group, token)));
  }

  /** Of the tokens that the crawler looks for, the set in use. */
  #tokens(): readonly string[] {
    const { sets } = this.#preference;
    // The number of the only bit that is set, if one is.
    const rank = 31 - Math.clz32(this.#chosen);
    return rank === sets.length ? ['*'] : (sets[rank] ?? []);
  }
}

function names({ userAgents }: Group, token: string): boolean {
  return userAgents.some((userAgent) => isNamed(userAgent, token));
}

function isNamed({ token: product, extendedToken }: UserAgentRecord, token: string): boolean {
  const wanted = token.toLowerCase();
  return product === wanted || extendedToken === wanted;
}

/** Whose groups have that bit (collect.ts). */
export function groupKindOf(chosen: number, { sets }: Preference): GroupChoice['kind'] {
  if (chosen === 0) return 'none';
  if (chosen === 1 << sets.length) return 'global';
  return chosen === 1 ? 'own' : 'fallback';
}
