/**
 * Decisions about URLs by the rules of a crawler.
 *
 * @module
 */
import type { OptionTypes } from '../bytes/check-options.ts';
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import { toUrlText, type UrlInput } from '../bytes/url.ts';
import type { Profile } from '../crawler/profile.ts';
import { findRequestPathStart, findTarget } from '../matching/target.ts';
import type { CrawlerRules, RuleResult } from './crawler-rules.ts';
import { Decision } from './decision.ts';
import type { DecisionReason, Verdict } from './verdict.ts';

/** Options of `Ruleset.decide`. */
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

/** Decides about a URL. The caller checks the options. */
export function decideUrl(rules: CrawlerRules, input: UrlInput, normalize = true): Verdict {
  const url = toUrlText(input);
  const { scope } = rules.source.context;
  if (normalize) {
    const start = findRequestPathStart(url, scope);
    if (start >= 0) return decidePath(rules, url, start, false);
  }
  const target = findTarget(url, scope, normalize);
  if ('outOfScope' in target) return { kind: 'out-of-scope', reason: target.outOfScope, url };
  return decidePath(rules, target.path, 0, target.normalized);
}

/** Decides the path from `start` to the end of `text`. */
function decidePath(rules: CrawlerRules, text: string, start: number, normalized: boolean): Verdict {
  const { profile } = rules.source.context;
  let result: RuleResult | undefined;
  let reason: DecisionReason;
  if (rules.preference.isExempt) reason = 'crawler-exempt';
  else if (profile.isRobotsTxtAllowed && isRobotsTxt(text, start, profile)) reason = 'robots-txt';
  else {
    result = rules.decide(text, start);
    reason = result.match !== null ? 'rule' : result.chosen === 0 ? 'no-group' : 'no-rule-matched';
  }
  const path = start === 0 ? text : text.slice(start);
  return new Decision(rules, result?.allowed ?? true, reason, path, normalized, result).asVerdict();
}

function isRobotsTxt(text: string, start: number, { comparison }: Profile): boolean {
  if (comparison === 'decoded') return toComparedPaths(text.slice(start))[0] === '/robots.txt';
  return text.endsWith('/robots.txt') && text.lastIndexOf('/') === start;
}
