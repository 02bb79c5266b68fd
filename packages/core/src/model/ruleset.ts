/**
 * Rulesets: the compiled rules of the groups that apply to a crawler, and decisions about URLs (RFC 9309 section 2.2).
 *
 * @module
 */

import { checkOptions, type OptionTypes } from '../bytes/check-options.ts';
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import { toUrlText, type UrlInput } from '../bytes/url.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { findRequestPathStart } from '../matching/fast-engine.ts';
import type { RuleTable } from '../matching/rule-table.ts';
import { findTarget } from '../matching/target.ts';
import { readCrawlDelay } from '../syntax/crawl-delay.ts';
import type { RobotsRecord, Rule } from '../syntax/record.ts';
import { Decision } from './decision.ts';
import { ObeyedRules, type RuleResult } from './obeyed-rules.ts';
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

/** The types of {@link DecideOptions}. */
export const DECIDE_OPTIONS: OptionTypes<DecideOptions> = { normalize: 'boolean' };

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
   * @throws {TypeError} if `url` is neither a string nor an instance of `URL`, or an option is unknown. A string never causes an error.
   */
  decide(url: UrlInput, options?: DecideOptions): Verdict {
    if (options !== undefined) checkOptions<DecideOptions>('decide', options, DECIDE_OPTIONS);
    return decideUrl(this, url, options?.normalize);
  }
}

/** Decides about a URL. The caller checks the options. */
export function decideUrl(ruleset: Ruleset, input: UrlInput, normalize = true): Verdict {
  const url = toUrlText(input);
  const { scope } = ruleset.source.context;
  if (normalize) {
    const start = findRequestPathStart(url, scope);
    if (start >= 0) return decidePath(ruleset, url, start, false);
  }
  const target = findTarget(url, scope, normalize);
  if ('outOfScope' in target) return { kind: 'out-of-scope', reason: target.outOfScope, url };
  return decidePath(ruleset, target.path, 0, target.normalized);
}

/** Decides the path from `start` to the end of `text`. */
function decidePath(ruleset: Ruleset, text: string, start: number, normalized: boolean): Verdict {
  const { profile } = ruleset.source.context;
  let result: RuleResult | undefined;
  let reason: DecisionReason;
  if (ruleset.preference.isExempt) reason = 'crawler-exempt';
  else if (profile.isRobotsTxtAllowed && isRobotsTxt(text, start, profile)) reason = 'robots-txt';
  else {
    result = ruleset.decideByRules(text, start);
    reason = result.match !== null ? 'rule' : result.chosen === 0 ? 'no-group' : 'no-rule-matched';
  }
  const path = start === 0 ? text : text.slice(start);
  return new Decision(ruleset, result?.allowed ?? true, reason, path, normalized, result).asVerdict();
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
