/**
 * Rulesets: the compiled rules of the groups that apply to a crawler, and decisions about URLs (RFC 9309 section 2.2).
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
import { CompiledRules, recordNamesToken } from './compiled-rules.ts';
import { Decision } from './decision.ts';
import type { DecisionReason, GroupSelection, Verdict } from './verdict.ts';

/** Options of {@link Ruleset.decide}. */
export interface DecideOptions {
  /**
   * Whether to convert the URL to request form, which is how a crawler requests it. `false` uses the string unchanged, as Google's
   * matcher does.
   *
   * @defaultValue `true`
   */
  readonly normalize?: boolean;
}

let readRules: (ruleset: Ruleset) => CompiledRules;

/**
 * The rules that a crawler obeys in a robots.txt. Equal calls of {@link decide} return equal verdicts. A ruleset stores a packed rule
 * table and the matcher; all other properties are read from the file on each access.
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
    return this.#rules.source.context.profile;
  }

  /** Current memory in bytes (estimate), without the document. It grows with use. */
  get sizeInBytes(): number {
    return RULESET_BYTES + this.#rules.matcher.sizeInBytes;
  }

  /** The kind of {@link group}, without reading the file. */
  get groupKind(): GroupSelection['kind'] {
    return this.#rules.groupKind;
  }

  /** The groups that apply, and the reason. */
  get group(): GroupSelection {
    return this.#rules.group;
  }

  /** The rules in file order. */
  get rules(): Rule[] {
    return this.#rules.readGroups().flatMap(({ rules }) => rules);
  }

  /** The distinct line numbers of the rules in ascending order. Unlike {@link rules}, this does not read the file. */
  get ruleLines(): number[] {
    const { table } = this.#rules;
    const lines = new Set(Array.from({ length: table.count }, (_, entry) => table.line(entry)));
    return [...lines].sort((a, b) => a - b);
  }

  /** The other records of the groups that apply, such as `Crawl-delay`. They do not affect verdicts. */
  get others(): RobotsRecord[] {
    return this.#rules.readGroups().flatMap(({ others }) => others);
  }

  /**
   * The largest `Crawl-delay` of the crawler's groups in seconds, or `null`. For `Crawl-delay` only, such a line ends the list of
   * user-agent lines, as in the crawlers that obey it.
   */
  get crawlDelay(): number | null {
    const { source, tokens } = this.#rules;
    return readCrawlDelay(source.scan(), (agent) => tokens.some((token) => recordNamesToken(agent, token)));
  }

  /**
   * Decides whether the crawler may fetch `url`.
   *
   * @param url - an absolute URL, or a path on the origin of the robots.txt if it begins with a single `/`.
   * @throws {TypeError} if `url` is not a string. A string never causes an error.
   */
  decide(url: string, options?: DecideOptions): Verdict {
    if (typeof url !== 'string') throw new TypeError(`url must be a string, not ${String(url)}`);
    const { engine, scope } = this.#rules.source.context;
    const normalize = options?.normalize ?? true;
    if (normalize) {
      const start = engine.findPathStart(url, scope);
      if (start >= 0) return this.#decidePath(url, start, false);
    }
    const target = findTarget(url, scope, normalize);
    if ('outOfScope' in target) return { kind: 'out-of-scope', reason: target.outOfScope, url };
    return this.#decidePath(target.path, 0, target.normalized);
  }

  /** Decides the path from `start` to the end of `text`. */
  #decidePath(text: string, start: number, normalized: boolean): Verdict {
    const rules = this.#rules;
    const { preference, chosen, matcher, table } = rules;
    const { isRobotsTxtAllowed, comparison } = rules.source.context.profile;
    let reason: DecisionReason = 'no-rule-matched';
    let entry = NONE;
    if (preference.isExempt) reason = 'crawler-exempt';
    else if (comparison === 'decoded' || isRobotsTxtAllowed) {
      const forms = comparison === 'decoded' ? toComparedPaths(text.slice(start)) : [text.slice(start)];
      if (isRobotsTxtAllowed && forms[0] === '/robots.txt') reason = 'robots-txt';
      else if (chosen === 0) reason = 'no-group';
      else entry = Math.min(...forms.map((form) => matcher.find(form, 0)));
    } else if (chosen === 0) reason = 'no-group';
    else entry = matcher.find(text, start);
    const isRule = entry !== NONE;
    return new Decision(rules, {
      allowed: !isRule || !table.forbids(entry),
      reason: isRule ? 'rule' : reason,
      entry,
      line: isRule ? table.line(entry) : 0,
      text,
      start,
      normalized,
    }).asVerdict();
  }
}

/** Returns the compiled rules of a ruleset, for modules of this package. */
export function getCompiledRules(ruleset: Ruleset): CompiledRules {
  return readRules(ruleset);
}

/** Creates the ruleset of another crawler that obeys the same groups. Both share the table and the matcher. */
export function shareRuleset(ruleset: Ruleset, preference: Preference, chosen: number): Ruleset {
  const { source, table, matcher } = readRules(ruleset);
  return new Ruleset(new CompiledRules(source, preference, chosen, table, matcher));
}
