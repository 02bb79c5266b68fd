/**
 * What the adapters share: a URL that the crawler may not fetch is an error.
 *
 * @module
 */
import { type Disallowed, explainVerdict, type OutOfScope } from '@maycrawl/core';
import type { RobotsClient } from '../origins/client.ts';
import type { WaitOptions } from '../origins/origins.ts';

/** What adapters need of a {@link RobotsClient}: its decisions, and the User-Agent header that it sends. */
export type Decider = Pick<RobotsClient, 'decide'> & Partial<Pick<RobotsClient, 'userAgent'>>;

/** Control and formatting characters, separators of lines: a message is one line, whatever stands in a rule or a URL. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A URL was not requested, because no robots.txt allows it. */
export class ForbiddenUrlError extends Error {
  override readonly name = 'ForbiddenUrlError';
  readonly code = 'forbidden-url';
  /** The URL that was not requested: the one that was asked for, or the one to which a redirect led. */
  readonly url: string;
  /** Why. In an outage its `reason` is `unreachable`: asking again later may help. */
  readonly verdict: Disallowed | OutOfScope;

  constructor(url: string, verdict: Disallowed | OutOfScope) {
    const what = verdict.kind === 'disallowed' ? 'is forbidden' : 'has no verdict, so it is not requested';
    super(`${url} ${what}: ${explainVerdict(verdict)}`.replace(UNPRINTABLE, ' '));
    this.url = url;
    this.verdict = verdict;
  }
}

/**
 * Asks the client about a URL, and goes on only if it may be fetched.
 *
 * @param url - an absolute http or https URL.
 * @throws {ForbiddenUrlError} if the verdict is anything but `allowed`.
 * @throws as the client's `decide` does.
 */
export async function requireAllowed(client: Decider, url: string, options?: WaitOptions): Promise<void> {
  const verdict = await client.decide(url, options);
  if (verdict.kind !== 'allowed') throw new ForbiddenUrlError(url, verdict);
}
