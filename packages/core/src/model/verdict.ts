// Verdicts: whether a crawler may fetch a URL, and the reasons.

import type { OutOfScopeReason } from '../matching/target.ts';
import type { Rule } from '../syntax/record.ts';

/** The groups that apply to a crawler. `tokens` are the tokens of the crawler that these groups name. */
export type GroupSelection =
  /** Groups name the crawler by its preferred token, or by one of its bare tokens. */
  | { readonly kind: 'own'; readonly tokens: readonly string[] }
  /** No group names the preferred token, but groups name a fallback token. */
  | { readonly kind: 'fallback'; readonly tokens: readonly string[] }
  /** No group names the crawler, so the groups for `*` apply. */
  | { readonly kind: 'global' }
  /** No group names the crawler, and there is no group for `*` or the crawler ignores it. */
  | { readonly kind: 'none' };

/** The reason for a decision. */
export type DecisionReason =
  /** The longest matching rule. */
  | 'rule'
  /** No rule of the groups that apply matches. */
  | 'no-rule-matched'
  /** No group applies to the crawler. */
  | 'no-group'
  /** The profile always allows `/robots.txt`. */
  | 'robots-txt'
  /** This crawler ignores robots.txt. */
  | 'crawler-exempt'
  /** The site has no robots.txt, so all URLs are allowed. */
  | 'unavailable'
  /** The robots.txt could not be fetched, so all URLs are disallowed. */
  | 'unreachable'
  /** The robots.txt is unreachable, and the outage policy allows all URLs after this time. */
  | 'outage-expired';

/** A matching rule, and the pattern that matched. */
export interface Match {
  readonly rule: Rule;
  /** The value of the rule, or an additional pattern: `/x/$` for an allow rule `/x/index.html`. */
  readonly pattern: string;
}

/** The properties that allowed and disallowed verdicts share. Most are read from the document on access. */
interface Reasons {
  readonly reason: DecisionReason;
  /** The deciding rule; `null` if no rule matched. It can be an empty rule, which disallows nothing. */
  readonly rule: Rule | null;
  /** The pattern of the deciding rule that matched; `null` if no rule matched. */
  readonly pattern: string | null;
  /** Line of the deciding rule, from 1; 0 if no rule matched. */
  readonly line: number;
  /** The best match of the opposite kind (allow or disallow), which lost; `null` if there is none. */
  readonly overriddenMatch: Match | null;
  /** The groups that apply to the crawler. */
  readonly group: GroupSelection;
  readonly groupKind: GroupSelection['kind'];
  /** The matched path and query. */
  readonly path: string;
  /** Whether the conversion to request form changed the path. */
  readonly normalized: boolean;
}

/** The crawler may fetch the URL. */
export interface Allowed extends Reasons {
  readonly kind: 'allowed';
  readonly allowed: true;
}

/** The crawler may not fetch the URL. */
export interface Disallowed extends Reasons {
  readonly kind: 'disallowed';
  readonly allowed: false;
}

/** The robots.txt does not apply to the URL, which is neither allowed nor disallowed by it. `getRobotsTxtUrl` returns the one that applies. */
export interface OutOfScope {
  readonly kind: 'out-of-scope';
  readonly reason: OutOfScopeReason;
  readonly url: string;
}

/** The verdict on a URL, discriminated by `kind`. */
export type Verdict = Allowed | Disallowed | OutOfScope;
