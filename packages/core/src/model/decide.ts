// Decisions about URLs: by the rules of a crawler, and about a file in one call.
import { checkOptions, type OptionTypes } from '../bytes/check-options.ts';
import { toComparedPaths } from '../bytes/percent-encoding.ts';
import { toUrlText, type UrlInput } from '../bytes/url.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import { findRequestPathStart, findTarget } from '../matching/target.ts';
import { CrawlerRules, type RuleResult } from './crawler-rules.ts';
import { Decision } from './decision.ts';
import { createSource, PARSE_OPTIONS, type ParseOptions } from './source.ts';
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

function decidePath(rules: CrawlerRules, text: string, start: number, normalized: boolean): Verdict {
  const { profile } = rules.source.context;
  let result: RuleResult | undefined;
  let reason: DecisionReason;
  if (rules.agentTokens.isExempt) reason = 'crawler-exempt';
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

const OPTIONS: OptionTypes<ParseOptions & DecideOptions> = { ...PARSE_OPTIONS, ...DECIDE_OPTIONS };

/**
 * Decides whether a crawler may fetch a URL. For several URLs, parse the file once. The verdict reads the match
 * that lost from the bytes on demand, so do not change the bytes while the verdict is in use.
 *
 * @param content - the robots.txt as bytes, or as a string, which is encoded as UTF-8.
 * @param crawler - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
 * @param url - an absolute URL, or a path on the origin of the robots.txt if it begins with a single `/`.
 * @throws {TypeError} {RangeError} if `content`, `crawler`, `url` or an option is invalid. The text of the file and of the URL never
 *   cause an error.
 * @example
 * decide('User-agent: *\nDisallow: /a', 'Googlebot', 'https://example.com/a').kind; // 'disallowed'
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerInput,
  url: UrlInput,
  options?: ParseOptions & DecideOptions,
): Verdict {
  if (options !== undefined) checkOptions<ParseOptions & DecideOptions>('decide', options, OPTIONS);
  const source = createSource(content, options, false);
  return decideUrl(new CrawlerRules(source, getAgentTokens(crawler)), url, options?.normalize);
}
