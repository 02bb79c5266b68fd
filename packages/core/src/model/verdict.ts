/**
 * Verdicts: may this crawler fetch this URL, and why?
 *
 * @module
 */

import type { OutOfScopeReason } from '../matching/target.ts';
import type { Rule } from '../syntax/record.ts';

/** Which group's rules were used, and why. */
export type GroupChoice =
  /** A group names the crawler by the token that it prefers. */
  | { readonly kind: 'own'; readonly tokens: readonly string[] }
  /** No group names the preferred token; one names this later one of the crawler's tokens. */
  | { readonly kind: 'fallback'; readonly tokens: readonly string[] }
  /** No group names the crawler; the groups for `*` apply. */
  | { readonly kind: 'global' }
  /** No group names the crawler, and there is none for `*`, or the crawler ignores that one. */
  | { readonly kind: 'none' };

/** What decided. */
export type Because =
  /** The longest matching rule. */
  | 'rule'
  /** The group in use has no rule that matches. */
  | 'no-rule-matched'
  /** No group applies to the crawler. */
  | 'no-group'
  /** The profile always allows `/robots.txt` itself. */
  | 'robots-txt'
  /** This crawler ignores robots.txt. */
  | 'crawler-exempt'
  /** The site has no robots.txt: no restrictions. */
  | 'absent'
  /** The robots.txt could not be read: everything is disallowed. */
  | 'unreachable'
  /** The robots.txt has been unreachable for so long that this forbids nothing any more, by the profile. */
  | 'outage-allows';

/** A rule that matched, and the pattern by which it did. */
export interface Match {
  readonly rule: Rule;
  /** The rule's value, or a further pattern that it stands for: `/x/$` for an allow rule `/x/index.html`. */
  readonly pattern: string;
}

/** What a decision tells, beside what it is. Reasons are read from the document when they are asked for. */
interface Reasons {
  readonly because: Because;
  /** The deciding rule; `null` if none matched. An empty rule can be it, though it never forbids. */
  readonly rule: Rule | null;
  /** The pattern by which the deciding rule matched; `null` if none did. */
  readonly pattern: string | null;
  /** Line of the deciding rule, from 1; 0 if none matched. */
  readonly line: number;
  /** The best matching rule of the other kind, which lost; `null` if none matched. */
  readonly loser: Match | null;
  readonly group: GroupChoice;
  readonly groupKind: GroupChoice['kind'];
  /** What was matched: path and query. */
  readonly path: string;
  /** Whether bringing the URL to its request form changed what is matched. */
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

/** The robots.txt says nothing about this URL; ask the one that does. Neither allowed nor disallowed. */
export interface OutOfScope {
  readonly kind: 'out-of-scope';
  readonly reason: OutOfScopeReason;
  readonly url: string;
}

/** The answer to one question. Tell the cases apart by `kind`. */
export type Verdict = Allowed | Disallowed | OutOfScope;
