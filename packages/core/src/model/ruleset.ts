/**
 * A crawler's ruleset: the rules of the groups that apply to it, ready to decide URLs (RFC 9309 section 2.2).
 *
 * @module
 */

import { RULESET_BYTES } from '../bytes/memory.ts';
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { NONE } from '../matching/rule-table.ts';
import { findTarget } from '../matching/target.ts';
import { readCrawlDelay } from '../syntax/crawl-delay.ts';
import type { RobotsRecord, Rule } from '../syntax/record.ts';
import { CompiledRules, isNamed } from './compiled-rules.ts';
import { Decision } from './decision.ts';
import type { Because, GroupChoice, Verdict } from './verdict.ts';

/** How to read a URL. */
export interface DecideOptions {
  /**
   * Bring the URL to the form in which a crawler requests it. `false`: take the string as it is, as Google's matcher does.
   *
   * @defaultValue `true`
   */
  readonly normalize?: boolean;
}

let readRules: (ruleset: Ruleset) => CompiledRules;

/**
 * The rules that one crawler obeys in one robots.txt. Its answers never change. It stores a packed table of the rules and the
 * state of its engine; everything else is read from the file on each call.
 */
export class Ruleset {
  readonly #rules: CompiledRules;

  static {
    readRules = (ruleset) => ruleset.#rules;
  }

  /** Use {@link RobotsTxt.ruleset}. */
  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /** The profile under which the file was parsed. */
  get profile(): Profile {
    return this.#rules.source.reading.profile;
  }

  /** Memory in bytes that the ruleset takes now, without the document. */
  get sizeInBytes(): number {
    return RULESET_BYTES + this.#rules.matcher.sizeInBytes;
  }

  /** Whose groups the rules are from. */
  get groupKind(): GroupChoice['kind'] {
    return this.#rules.groupKind;
  }

  /** Which groups the rules are from, and why. */
  get group(): GroupChoice {
    return this.#rules.group;
  }

  /** The rules in the order of the file. */
  get rules(): Rule[] {
    return this.#rules.readGroups().flatMap(({ rules }) => rules);
  }

  /** Lines of the rules in the order of the file, without repeats. Unlike {@link rules}, this does not read the file again. */
  get ruleLines(): number[] {
    const { table } = this.#rules;
    const lines = new Set(Array.from({ length: table.count }, (_, entry) => table.line(entry)));
    return [...lines].sort((a, b) => a - b);
  }

  /** Other records of the groups in use, such as crawl-delay. They never change a decision. */
  get others(): RobotsRecord[] {
    return this.#rules.readGroups().flatMap(({ others }) => others);
  }

  /**
   * Seconds between requests that the site requests of the crawler, or `null`: the largest `Crawl-delay` of its groups. For this
   * record alone a crawl-delay line ends the list of user-agent lines, as the crawlers that obey it read it.
   */
  get crawlDelay(): number | null {
    const { source, tokens } = this.#rules;
    return readCrawlDelay(source.scan(), (agent) => tokens.some((token) => isNamed(agent, token)));
  }

  /**
   * Decides whether the crawler may fetch `url`.
   *
   * @param url - an absolute URL, or a path on the file's own origin if it begins with a single `/`.
   * @throws {TypeError} if `url` is no string. What is in the string is never an error.
   */
  decide(url: string, options?: DecideOptions): Verdict {
    if (typeof url !== 'string') throw new TypeError(`a URL is given as a string, not as ${String(url)}`);
    const { engine, scope } = this.#rules.source.reading;
    const normalize = options?.normalize ?? true;
    if (normalize) {
      const start = engine.findPathStart(url, scope);
      if (start >= 0) return this.#decidePath(url, start, false);
    }
    const target = findTarget(url, scope, normalize);
    if ('outOfScope' in target) return { kind: 'out-of-scope', reason: target.outOfScope, url };
    return this.#decidePath(target.path, 0, target.normalized);
  }

  /** Decides about the path from `start` to the end of `text`. */
  #decidePath(text: string, start: number, normalized: boolean): Verdict {
    const rules = this.#rules;
    const { preference, chosen, matcher, table } = rules;
    const { robotsTxtAllowed, comparison } = rules.source.reading.profile;
    let because: Because = 'no-rule-matched';
    let entry = NONE;
    if (preference.isExempt) because = 'crawler-exempt';
    else if (comparison === 'decoded' || robotsTxtAllowed) {
      const forms = comparison === 'decoded' ? toComparedPaths(text.slice(start)) : [text.slice(start)];
      if (robotsTxtAllowed && forms[0] === '/robots.txt') because = 'robots-txt';
      else if (chosen === 0) because = 'no-group';
      else entry = Math.min(...forms.map((form) => matcher.find(form, 0)));
    } else if (chosen === 0) because = 'no-group';
    else entry = matcher.find(text, start);
    const isRule = entry !== NONE;
    return new Decision(rules, {
      allowed: !isRule || !table.forbids(entry),
      because: isRule ? 'rule' : because,
      entry,
      line: isRule ? table.line(entry) : 0,
      text,
      start,
      normalized,
    }).asVerdict();
  }
}

/** The compiled rules of a ruleset, for modules of this package. */
export function getCompiledRules(ruleset: Ruleset): CompiledRules {
  return readRules(ruleset);
}

/** Creates the ruleset of another crawler that obeys the same groups: it shares the compiled rules. */
export function shareRuleset(ruleset: Ruleset, preference: Preference, chosen: number): Ruleset {
  const { source, table, matcher } = readRules(ruleset);
  return new Ruleset(new CompiledRules(source, preference, chosen, table, matcher));
}
