// What the adapters use of a client.
import type { Verdict } from '@maycrawl/core';
import { requireMethods } from '../http/caller-objects.ts';
import type { RobotsClient } from '../origins/client/client.ts';
import type { ClientDecideOptions, TurnWaitOptions } from '../origins/client/client-options.ts';
import { requireAllowed } from '../origins/refusal.ts';
import type { Turn } from '../pace/turn.ts';

/** The part of a {@link RobotsClient} that adapters use: its decisions, its pace, its signatures, and the User-Agent header that it sends. */
export interface Decider extends Partial<Pick<RobotsClient, 'userAgent' | 'signer'>> {
  /** Decides whether a URL may be requested, as `RobotsClient.decide` does. */
  decide(url: string, options?: ClientDecideOptions): Promise<Verdict>;
  /** Decides, and waits for the turn of a request, as `RobotsClient.takeTurn` does. Without it, requests have no pace. */
  takeTurn?(url: string, options?: TurnWaitOptions): Promise<Turn>;
  /** Returns a turn that needs no wait, as `RobotsClient.tryTurn` does. */
  tryTurn?(url: string): Turn | undefined;
}

/** @throws {TypeError} for a client without `decide`. */
export function requireDecider(client: Decider): void {
  requireMethods('a client', client, ['decide']);
}

/** The turn of a client without a pace. */
const NO_PACE: Turn = { origin: '', end: () => {}, fail: () => {}, cancel: () => {} };

/** A URL of no site, as the source of a request whose source is unknown: its target must not be on a private address. */
export const OUTSIDE = 'http://outside.invalid/';

/**
 * Waits until the client may fetch a URL. The caller must end the turn.
 *
 * @param url - an absolute http or https URL.
 * @throws {ForbiddenUrlError} unless the verdict is `allowed`.
 * @throws as the client's `decide` and `takeTurn` do.
 */
export async function takeTurn(client: Decider, url: string, options?: TurnWaitOptions): Promise<Turn> {
  if (client.takeTurn !== undefined) {
    // Whether the target of a redirect is on a private address is a question that waits.
    const turn = options?.redirectedFrom === undefined ? client.tryTurn?.(url) : undefined;
    return turn ?? client.takeTurn(url, options);
  }
  const { maxWait: _, ...decideOptions } = options ?? {};
  requireAllowed(url, await client.decide(url, options === undefined ? undefined : decideOptions));
  return NO_PACE;
}
