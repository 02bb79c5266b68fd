// The error of the adapters for a URL that the crawler may not fetch.
import { type Disallowed, explainVerdict, type OutOfScope, type Verdict } from '@maycrawl/core';
import type { RobotsClient } from '../origins/client.ts';
import type { DecideOptions } from '../origins/client-options.ts';

/** The part of a {@link RobotsClient} that adapters use: its decisions, and the User-Agent header that it sends. */
export interface Decider extends Partial<Pick<RobotsClient, 'userAgent'>> {
  /** Decides whether a URL may be requested, as `RobotsClient.decide` does. */
  decide(url: string, options?: DecideOptions): Promise<Verdict>;
}

/** Control and formatting characters and line separators. A message is one line, also if a rule or a URL contains such characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The robots.txt does not allow a URL, so it was not requested. */
export class ForbiddenUrlError extends Error {
  override readonly name = 'ForbiddenUrlError';
  readonly code = 'forbidden-url';
  /** The URL that was not requested: the requested URL, or the target of a redirect. */
  readonly url: string;
  /** The verdict. In an outage its `reason` is `unreachable`: a later attempt may succeed. */
  readonly verdict: Disallowed | OutOfScope;

  constructor(url: string, verdict: Disallowed | OutOfScope) {
    const what = verdict.kind === 'disallowed' ? 'is forbidden' : 'has no verdict, so it is not requested';
    super(`${url} ${what}: ${explainVerdict(verdict)}`.replace(UNPRINTABLE, ' '));
    this.url = url;
    this.verdict = verdict;
  }
}

/**
 * Returns if the client may fetch a URL, and throws if not.
 *
 * @param url - an absolute http or https URL.
 * @throws {ForbiddenUrlError} unless the verdict is `allowed`.
 * @throws as the client's `decide` does.
 */
export async function requireAllowed(client: Decider, url: string, options?: DecideOptions): Promise<void> {
  const verdict = await client.decide(url, options);
  if (verdict.kind !== 'allowed') throw new ForbiddenUrlError(url, verdict);
}
