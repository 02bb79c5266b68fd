/**
 * Rulesets: the compiled rules of the groups that apply to a crawler, and decisions about URLs (RFC 9309 section 2.2).
 *
 * @module
 */

import { toComparedPaths } from '../bytes/percent-encoding.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { findRequestPathStart } from '../matching/fast-engine.ts';
import type { RuleTable } from '../matching/rule-table.ts';
import { findTarget } from '../matching/target.ts';
import { readCrawlDelay } from '../syntax/crawl-delay.ts';
import type { RobotsRecord, Rule } from '../syntax/record.ts';
import { Decision } from './decision.ts';
import { ObeyedRules } from './obeyed-rules.ts';
import type { DecisionReason, Verdict } from './verdict.ts';

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

/**
 * The rules that a crawler obeys in a robots.txt. Equal calls of {@link decide} return equal verdicts. The first decisions read
 * the file; then the rules are compiled to a table. All other properties are read from the file on each access.
 */
export class Ruleset extends ObeyedRules {
  /** The profile under which the file was parsed. */
  get profile(): Profile {
    return this.source.context.profile;
  }

  /** The rules in file order. */
  get rules(): Rule[] {
    return this.readGroups().flatMap(({ rules }) => rules);
  }

  /** The distinct line numbers of the rules that can match a URL, in ascending order. This is faster than {@link rules}. */
  get ruleLines(): number[] {
    const { table } = this.matcher;
    const lines = new Set(Array.from({ length: table.count }, (_, entry) => table.line(entry)));
    return [...lines].sort((a, b) => a - b);
  }

  /** The other records of the groups that apply, such as `Crawl-delay`. They do not affect verdicts. */
  get others(): RobotsRecord[] {
    return this.readGroups().flatMap(({ others }) => others);
  }

  /**
   * The largest `Crawl-delay` of the crawler's groups in seconds, or `null`. For `Crawl-delay` only, such a line ends the list of
   * user-agent lines, as in the crawlers that obey it.
   */
  get crawlDelay(): number | null {
    return readCrawlDelay(this.source.scan(), this.preference);
  }

  /**
   * Decides whether the crawler may fetch `url`.
   *
   * @param url - an absolute URL, or a path on the origin of the robots.txt if it begins with a single `/`.
   * @throws {TypeError} if `url` is not a string. A string never causes an error.
   */
  decide(url: string, options?: DecideOptions): Verdict {
    if (typeof url !== 'string') throw new TypeError(`url must be a string, not ${String(url)}`);
    const { scope } = this.source.context;
    const normalize = options?.normalize ?? true;
    if (normalize) {
      const start = findRequestPathStart(url, scope);
      if (start >= 0) return decidePath(this, url, start, false);
    }
    const target = findTarget(url, scope, normalize);
    if ('outOfScope' in target) return { kind: 'out-of-scope', reason: target.outOfScope, url };
    return decidePath(this, target.path, 0, target.normalized);
  }
}

/** Decides the path from `start` to the end of `text`. */
function decidePath(ruleset: Ruleset, text: string, start: number, normalized: boolean): Verdict {
  const { profile } = ruleset.source.context;
  let allowed = true;
  let line = 0;
  let reason: DecisionReason;
  if (ruleset.preference.isExempt) reason = 'crawler-exempt';
  else if (profile.isRobotsTxtAllowed && isRobotsTxt(text, start, profile)) reason = 'robots-txt';
  else {
    const decision = ruleset.decideByRules(text, start);
    ({ allowed, line } = decision);
    reason = decision.chosen === 0 ? 'no-group' : line === 0 ? 'no-rule-matched' : 'rule';
  }
  return new Decision(ruleset, { allowed, reason, line, text, start, normalized }).asVerdict();
}

function isRobotsTxt(text: string, start: number, { comparison }: Profile): boolean {
  if (comparison === 'decoded') return toComparedPaths(text.slice(start))[0] === '/robots.txt';
  return text.endsWith('/robots.txt') && text.lastIndexOf('/') === start;
}

/** Returns the rule table of a ruleset, for modules of this package. */
export function getRuleTable(ruleset: Ruleset): RuleTable {
  return ruleset.matcher.table;
}

/** Creates the ruleset of another crawler that obeys the same groups. Both share the compiled rules. */
export function shareRuleset(ruleset: Ruleset, preference: Preference, chosen: number): Ruleset {
  return new Ruleset(ruleset.source, preference, chosen, ruleset.compiled);
}
