// What the groups for policy tokens state (crawler/policy-token.ts).
import { quoteValue } from '../bytes/check-options.ts';
import { type Crawler, createCrawler, isAgentToken } from '../crawler/crawler.ts';
import type { PolicyToken } from '../crawler/policy-token.ts';
import type { Ruleset } from '../model/ruleset.ts';
import { type Claim, limitText, type PreferenceStatement } from './statement.ts';

/**
 * Returns a policy token that governs all crawlers, for proposals that the table does not contain.
 *
 * @param purposes - by default the training of AI models.
 */
export function createPolicyToken(token: string, purposes: readonly string[] = ['ai-train']): PolicyToken {
  return { token, operator: null, governs: null, purposes, source: null, checked: null };
}

/**
 * Checks the policy tokens of a caller.
 *
 * @throws {RangeError} if no user-agent line can name one.
 * @throws {TypeError} if the list of the crawlers that one governs, or of its purposes, is invalid.
 */
export function requirePolicyTokens(policyTokens: readonly PolicyToken[]): void {
  for (const each of policyTokens) {
    const token: unknown = each?.token;
    if (typeof token !== 'string' || !isAgentToken(token))
      throw new RangeError(`not a product token: ${quoteValue(token ?? each)}`);
    if (each.governs !== null && !isListOfStrings(each.governs))
      throw new TypeError(
        `governs of the policy token ${quoteValue(token)} must be null or a list of tokens`,
      );
    if (!isListOfStrings(each.purposes))
      throw new TypeError(`purposes of the policy token ${quoteValue(token)} must be a list of strings`);
  }
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Returns a policy token as a crawler: its groups, and those for `*` only if they apply to it. */
export function toTokenCrawler({ token, obeysGlobal = true }: PolicyToken): Crawler {
  return { ...createCrawler(token), obeys: obeysGlobal ? 'rules' : 'own-rules' };
}

/** Whether a policy token says how content may be used that a crawler with the given tokens fetches, or is the crawler itself. */
export function isGoverned({ token, governs }: PolicyToken, crawlerTokens: readonly string[]): boolean {
  if (governs === null) return true;
  const lower = new Set([token, ...governs].map((each) => each.toLowerCase()));
  const [preferred] = crawlerTokens;
  return preferred !== undefined && lower.has(preferred.toLowerCase());
}

/**
 * Reads what the rules for a policy token state about a URL. A rule is a statement if it disallows, or if a group names the token: a file
 * that allows everything says nothing of the token.
 *
 * @param ruleset - of the token.
 */
export function readTokenClaims(ruleset: Ruleset, token: PolicyToken, url: string): Claim[] {
  const verdict = ruleset.decide(url);
  if (verdict.kind === 'out-of-scope' || verdict.reason === 'robots-txt') return [];
  const isDisallowed = verdict.kind === 'disallowed';
  if (!isDisallowed && verdict.groupKind !== 'own') return [];
  const { rule } = verdict;
  return token.purposes.map((purpose): Claim => {
    const statement: PreferenceStatement = {
      format: 'policy-token',
      dialect: null,
      source: 'robots.txt',
      name: rule?.field ?? null,
      label: token.token,
      purpose,
      value: isDisallowed ? 'disallowed' : 'allowed',
      text: limitText(rule?.text ?? ''),
      line: rule?.line ?? null,
      column: rule?.valueColumn ?? null,
      agents: [verdict.groupKind === 'own' ? token.token : '*'],
      path: rule === null ? null : limitText(rule.text),
    };
    return { statement, distance: 0, isCurrent: true };
  });
}
