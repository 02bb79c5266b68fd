// Refusals: why a URL is not requested now, and whether and when that can change. A queue of URLs drops those that are refused for good,
// and puts the others back.

import {
  type Allowed,
  type Disallowed,
  explainVerdict,
  getPolicySummary,
  type OutOfScope,
  type Rule,
  type Verdict,
} from '@maycrawl/core';
import { isOwnRefusal } from '../http/request-failure.ts';
import type { Outage } from '../robots/history.ts';
import { describeOriginPolicy } from '../robots/outage/policy-text.ts';
import type { OriginState } from './origin-state.ts';

/** The stable code of a refusal. */
export type RefusalCode =
  /** A rule of the robots.txt disallows the URL. */
  | 'disallowed'
  /** The robots.txt could not be fetched, and the outage policy disallows all URLs. Temporary. */
  | 'robots-unreachable'
  /** It is not known whether the site is otherwise reachable, on which the outage policy depends. Temporary. */
  | 'robots-unknown'
  /** The robots.txt is on a private address, to which the client does not connect. */
  | 'private-address'
  /** The robots.txt is on a port that the Fetch Standard blocks. */
  | 'blocked-port'
  /** The robots.txt that decided does not apply to the URL. A {@link RobotsClient} never returns it, a custom decider can. */
  | 'out-of-scope';

/** What a queue needs to know of a refusal. */
export interface Refusal {
  readonly code: RefusalCode;
  /** Whether the URL may be requested later: a queue puts it back instead of dropping it. */
  readonly temporary: boolean;
  /** When to try again, in milliseconds since 1970: when the client fetches the robots.txt again. `null` unless it is temporary. */
  readonly retryAt: number | null;
  /** The outage of the robots.txt that causes the refusal; `null` if a rule does. */
  readonly cause: Outage | null;
}

/** A verdict that does not allow a URL, with what a queue needs to know. */
export type Refused = Disallowed & Refusal;

/** A verdict of a client. */
export type ClientVerdict = Allowed | Refused | OutOfScope;

/** Adds to a verdict of `state` what a queue needs to know. It changes the verdict, which must be a new object. */
export function addRefusal(verdict: Verdict, { history, refreshAt }: OriginState): ClientVerdict {
  if (verdict.kind !== 'disallowed') return verdict;
  const refused = verdict as { -readonly [Name in keyof Refused]: Refused[Name] };
  const isOutage = verdict.reason === 'unreachable';
  const outage = isOutage ? history.outage : null;
  const { code, temporary } = toRefusal(verdict.reason, outage);
  refused.code = code;
  refused.temporary = temporary;
  refused.retryAt = temporary ? refreshAt : null;
  refused.cause = outage;
  return refused;
}

function toRefusal(reason: Disallowed['reason'], outage: Outage | null): Pick<Refusal, 'code' | 'temporary'> {
  if (reason !== 'unreachable') return { code: 'disallowed', temporary: false };
  // The next attempt fails, too.
  if (isOwnRefusal(outage?.code)) return { code: outage.code, temporary: false };
  return { code: outage === null ? 'robots-unknown' : 'robots-unreachable', temporary: true };
}

/** Returns what a queue needs to know of a verdict. Deciders other than a client return verdicts without it. */
export function getRefusal(verdict: Disallowed | OutOfScope | Refused): Refusal {
  if ('temporary' in verdict) return verdict;
  if (verdict.kind === 'out-of-scope')
    return { code: 'out-of-scope', temporary: false, retryAt: null, cause: null };
  return { ...toRefusal(verdict.reason, null), retryAt: null, cause: null };
}

/** Control and formatting characters and line separators. A message is one line, also if a rule or a URL contains such characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A URL is not requested, because robots.txt does not allow it, or does not allow it now. */
export class ForbiddenUrlError extends Error implements Refusal {
  override readonly name = 'ForbiddenUrlError';
  readonly code: RefusalCode;
  /** Whether a later attempt may succeed. */
  readonly temporary: boolean;
  /** When to try again, in milliseconds since 1970; `null` if the refusal is final, or if the decider does not know. */
  readonly retryAt: number | null;
  /** The outage of the robots.txt; `null` without one. */
  override readonly cause: Outage | null;
  /** Line of the deciding rule, from 1; 0 without one. */
  readonly line: number;
  /** The deciding rule; `null` without one. */
  readonly rule: Rule | null;
  /** The URL that was not requested: the requested URL, or the target of a redirect. */
  readonly url: string;
  /** The verdict. */
  readonly verdict: Disallowed | OutOfScope;

  constructor(url: string, verdict: Disallowed | OutOfScope | Refused) {
    const refusal = getRefusal(verdict);
    super(`${url} ${describeRefusal(refusal, verdict)}`.replace(UNPRINTABLE, ' '));
    this.url = url;
    this.verdict = verdict;
    this.code = refusal.code;
    this.temporary = refusal.temporary;
    this.retryAt = refusal.retryAt;
    this.cause = refusal.cause;
    this.line = verdict.kind === 'disallowed' ? verdict.line : 0;
    this.rule = verdict.kind === 'disallowed' ? verdict.rule : null;
  }
}

/** @throws {ForbiddenUrlError} unless the verdict is `allowed`. */
export function requireAllowed(url: string, verdict: Verdict): void {
  if (verdict.kind !== 'allowed') throw new ForbiddenUrlError(url, verdict);
}

function describeRefusal(
  { code, retryAt, cause }: Refusal,
  verdict: Disallowed | OutOfScope | Refused,
): string {
  const time = retryAt === null ? '' : ` The client fetches it again at ${new Date(retryAt).toISOString()}.`;
  switch (code) {
    case 'disallowed':
      return `is forbidden: ${explainVerdict(verdict)}`;
    case 'out-of-scope':
      return `has no verdict, so it is not requested: ${explainVerdict(verdict)}`;
    case 'robots-unknown':
      return `is forbidden for now: ${explainVerdict(verdict)}${time}`;
    case 'robots-unreachable':
      return `is forbidden for now: ${describeOriginPolicy({ policy: getPolicySummary('unreachable'), outage: cause })}${time}`;
    case 'private-address':
    case 'blocked-port':
      return `is forbidden: the client does not send the request for its robots.txt (${cause?.message ?? code}).`;
  }
}
