// What the adapters use of a client.
import type { Verdict } from '@maycrawl/core';
import type { RobotsClient } from '../origins/client.ts';
import type { DecideOptions } from '../origins/client-options.ts';
import { ForbiddenUrlError } from '../origins/refusal.ts';

/** The part of a {@link RobotsClient} that adapters use: its decisions, its pace, and the User-Agent header that it sends. */
export interface Decider extends Partial<Pick<RobotsClient, 'userAgent'>> {
  /** Decides whether a URL may be requested, as `RobotsClient.decide` does. */
  decide(url: string, options?: DecideOptions): Promise<Verdict>;
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
