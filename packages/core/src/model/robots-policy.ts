// What robots.txt means for an origin: the rules of its file apply, or all URLs are allowed, or all are disallowed (RFC 9309 section
// 2.3.1; docs/fetching.md). The client derives the policy from what it fetched; this module decides by it.

import { checkOptions, type OptionTypes, quoteValue } from '../bytes/check-options.ts';
import { freezeDeep } from '../bytes/freeze.ts';
import { toUrlText, type UrlInput } from '../bytes/url.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import { GOOGLE, resolveProfile } from '../crawler/profile.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import { DECIDE_OPTIONS, type DecideOptions, decideUrl } from './decide.ts';
import { Decision } from './decision.ts';
import { parse, type RobotsTxt } from './robots-txt.ts';
import { getRules, type Ruleset } from './ruleset.ts';
import { PARSE_OPTIONS, type ParseOptions } from './source.ts';
import type { Verdict } from './verdict.ts';

/**
 * A policy without its file, as stores and JSON have it.
 *
 * - `rules`: the rules of a file apply.
 * - `allow-all`: the site has no robots.txt (`unavailable`), or the outage policy allows all URLs after this time (`outage-expired`).
 * - `disallow-all`: the robots.txt could not be fetched.
 * - `unknown`: nothing was fetched yet, or the policy depends on something that is not known. All URLs are disallowed meanwhile.
 */
export type PolicySummary =
  | { readonly kind: 'rules' }
  | { readonly kind: 'allow-all'; readonly reason: 'unavailable' | 'outage-expired' }
  | { readonly kind: 'disallow-all'; readonly reason: 'unreachable' }
  | { readonly kind: 'unknown' };

/** What robots.txt means for an origin. */
export type RobotsPolicy =
  | { readonly kind: 'rules'; readonly robots: RobotsTxt }
  | Exclude<PolicySummary, { readonly kind: 'rules' }>;

/** A policy in one word, for columns, filters and labels: its kind, or its reason where there is one. */
export type PolicyCode = 'rules' | 'unavailable' | 'unreachable' | 'outage-expired' | 'unknown';

const SUMMARIES: Readonly<Record<PolicyCode, PolicySummary>> = /* @__PURE__ */ freezeDeep({
  rules: { kind: 'rules' },
  unavailable: { kind: 'allow-all', reason: 'unavailable' },
  unreachable: { kind: 'disallow-all', reason: 'unreachable' },
  'outage-expired': { kind: 'allow-all', reason: 'outage-expired' },
  unknown: { kind: 'unknown' },
});

/** All policy codes. */
export const POLICY_CODES: readonly PolicyCode[] = /* @__PURE__ */ freezeDeep(
  Object.keys(SUMMARIES) as PolicyCode[],
);

/**
 * Returns the code of a policy.
 *
 * @throws {RangeError} if it is not a policy: an unknown kind or reason must not read as "allowed".
 */
export function getPolicyCode(policy: PolicySummary): PolicyCode {
  const code = POLICY_CODES.find((each) => {
    const summary: { readonly kind: string; readonly reason?: string } = SUMMARIES[each];
    return (
      summary.kind === policy?.kind && summary.reason === ('reason' in policy ? policy.reason : undefined)
    );
  });
  if (code === undefined) throw new RangeError(`not a robots policy: ${describePolicy(policy)}`);
  return code;
}

function describePolicy(policy: { readonly kind?: unknown; readonly reason?: unknown } | null): string {
  if (typeof policy !== 'object' || policy === null) return quoteValue(policy);
  return `kind ${quoteValue(policy.kind)}, reason ${quoteValue(policy.reason)}`;
}

/**
 * Returns the policy of a code.
 *
 * @throws {RangeError} if there is no such code.
 */
export function getPolicySummary(code: PolicyCode): PolicySummary {
  if (!POLICY_CODES.includes(code)) throw new RangeError(`not a policy code: ${String(code)}`);
  return SUMMARIES[code];
}

/** Options of {@link decideByPolicy}. `url` and `maxBytes` matter for policies without a file. */
export interface PolicyOptions extends ParseOptions, DecideOptions {
  /**
   * Returns the crawler's rules in the file, for callers that store compiled rules.
   *
   * @defaultValue compiles them on each call
   */
  readonly getRuleset?: (robots: RobotsTxt) => Ruleset;
}

const POLICY_OPTIONS: OptionTypes<PolicyOptions> = {
  ...PARSE_OPTIONS,
  ...DECIDE_OPTIONS,
  getRuleset: 'function',
};

/**
 * Decides whether a crawler may fetch a URL by the policy of its origin. Without a file, crawlers that ignore robots.txt are allowed
 * under every policy, and URLs can be out of scope.
 *
 * @param crawler - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
 * @throws {RangeError} if `policy` is not a policy.
 * @throws {TypeError} {RangeError} if `crawler`, `url` or an option is invalid.
 * @example
 * decideByPolicy({ kind: 'disallow-all', reason: 'unreachable' }, 'Googlebot', 'https://example.com/').kind; // 'disallowed'
 */
export function decideByPolicy(
  policy: RobotsPolicy,
  crawler: CrawlerInput,
  url: UrlInput,
  options?: PolicyOptions,
): Verdict {
  if (options !== undefined) checkOptions<PolicyOptions>('decideByPolicy', options, POLICY_OPTIONS);
  const code = getPolicyCode(policy);
  if (policy.kind === 'rules') {
    requireRobots(policy.robots);
    // Throws for an invalid crawler.
    if (options?.getRuleset !== undefined) getAgentTokens(crawler);
    const ruleset = options?.getRuleset?.(policy.robots) ?? policy.robots.ruleset(crawler);
    return decideUrl(getRules(ruleset), url, options?.normalize);
  }
  const rules = getRules(getEmptyFile(options ?? {}).ruleset(crawler));
  const verdict = decideUrl(rules, url, options?.normalize);
  if (verdict.kind === 'out-of-scope' || verdict.reason !== 'no-group') return verdict;
  const { path, normalized } = verdict;
  const reason = code === 'unavailable' || code === 'outage-expired' ? code : 'unreachable';
  return new Decision(rules, policy.kind === 'allow-all', reason, path, normalized).asVerdict();
}

function requireRobots(robots: RobotsTxt | undefined): void {
  if (typeof robots?.ruleset === 'function') return;
  throw new TypeError(`the policy "rules" needs robots, the result of parse(), not ${quoteValue(robots)}`);
}

/** The empty file of the last decision without a file: a caller decides about many URLs with the same options. */
let lastEmptyFile: (ParseOptions & { readonly robots: RobotsTxt }) | undefined;

function getEmptyFile(options: ParseOptions): RobotsTxt {
  const { maxBytes } = options;
  // Texts and frozen profiles: the objects of a caller can change.
  const profile = resolveProfile(options.profile ?? GOOGLE);
  const url = options.url === undefined ? undefined : toUrlText(options.url);
  const last = lastEmptyFile;
  const isSame = last?.profile === profile && last?.url === url && last?.maxBytes === maxBytes;
  if (isSame && last !== undefined) return last.robots;
  const robots = parse('', { profile, url, maxBytes } as ParseOptions);
  lastEmptyFile = { profile, url, maxBytes, robots } as typeof lastEmptyFile;
  return robots;
}
