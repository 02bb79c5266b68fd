/**
 * Asking an origin for its robots.txt: what it answers, as news for those who keep it.
 *
 * @module
 */
import { GOOGLE, type Profile } from '@maycrawl/core';
import type { AddressPolicy } from '../http/address-policy.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { lifetimeOf } from '../robots/freshness.ts';
import type { GoodAnswer } from '../robots/history.ts';
import type { AnswerHeaders, FetchCode, Outcome, Unchanged, Validators } from '../robots/outcome.ts';
import type { News } from './fail-safe-store.ts';

/** Fetches a robots.txt; `refetchRobotsTxt` unless a caller has another way. */
export type Fetcher = (
  url: string,
  validators: Validators | undefined,
  options: {
    readonly profile: Profile;
    readonly userAgent: string;
    readonly timeout: number;
    readonly addressPolicy: AddressPolicy;
    readonly errorBodies: 'tell';
    readonly mayFollow: (url: string) => Promise<boolean>;
    readonly signal: AbortSignal;
  },
) => Promise<Outcome | Unchanged>;

/** These hold for one client only: another crawler, or another guard, may get something else. */
const OWN_CODES: ReadonlySet<FetchCode | null> = new Set<FetchCode>([
  'disallowed-redirect',
  'private-address',
]);

/** Whether news are facts about the origin, which hold for all clients. */
export function isForAll(news: News): boolean {
  return !OWN_CODES.has('answer' in news ? news.answer.code : news.failure.code);
}

/**
 * Asks an origin. What comes of it depends on no profile: status 429 and a 5xx that says that the page was not found are failures
 * here, and who reads the history knows what they mean.
 *
 * @param answer - the copy that may be confirmed.
 * @throws as the fetcher does.
 */
export async function ask(
  origin: string,
  answer: GoodAnswer | null,
  fetcher: Fetcher,
  options: Omit<Parameters<Fetcher>[2], 'profile' | 'errorBodies'>,
  now: () => number,
): Promise<{ readonly news: News; readonly outcome: Outcome['kind'] | 'unchanged' }> {
  const url = `${origin}/robots.txt`;
  const outcome = await fetcher(url, validatorsOf(answer), {
    ...options,
    profile: GOOGLE,
    errorBodies: 'tell',
  });
  const at = now();
  const { hops, timings } = outcome;
  const status = hops.at(-1)?.status ?? null;
  if (outcome.kind === 'unreachable') {
    const { code, reason, headers, saysNotFound = false } = outcome;
    const retryAt = parseRetryAfter(headers?.retryAfter ?? null, at);
    const failure = { at, code, status, reason, retryAt, saysNotFound, hops, timings };
    return { news: { failure }, outcome: outcome.kind };
  }
  const sent = outcome.headers ?? NO_HEADERS;
  if (outcome.kind === 'unchanged') {
    if (answer === null) throw new TypeError(`${origin} confirms a copy that there is not`);
    const headers = confirmedHeaders(answer.headers, sent);
    const freshUntil = at + lifetimeOf(headers, at);
    return {
      news: { answer: { ...answer, headers, fetchedAt: at, freshUntil, hops: answer.hops, timings } },
      outcome: outcome.kind,
    };
  }
  const isFile = outcome.kind === 'found';
  const good: GoodAnswer = {
    kind: outcome.kind,
    ...{ fetchedAt: at, freshUntil: at + lifetimeOf(sent, at), status, headers: sent, hops, timings },
    bytes: isFile ? outcome.bytes : new Uint8Array(0),
    code: isFile ? null : outcome.code,
    reason: isFile ? null : outcome.reason,
  };
  return { news: { answer: good }, outcome: outcome.kind };
}

function validatorsOf(answer: GoodAnswer | null): Validators | undefined {
  const url = answer?.kind === 'found' ? answer.hops.at(-1)?.url : undefined;
  if (url === undefined || answer === null) return undefined;
  const { etag, lastModified } = answer.headers;
  return { url, etag, lastModified };
}

/** The headers after a confirmation: what it says takes the place of what was said before (RFC 9111 section 3.2). */
function confirmedHeaders(before: AnswerHeaders, sent: AnswerHeaders): AnswerHeaders {
  const told = Object.entries(sent).filter(([, value]) => value !== null);
  // How old the copy was then tells nothing now.
  return { ...before, age: null, date: null, ...Object.fromEntries(told) };
}

const NO_HEADERS: AnswerHeaders = {
  cacheControl: null,
  expires: null,
  date: null,
  age: null,
  etag: null,
  lastModified: null,
  retryAfter: null,
};
