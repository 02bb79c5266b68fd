// Matchers for `expect.extend` of vitest and jest.
import { type RobotsInput, type Settled, withSources } from './robots-source.ts';
import {
  type AgentOptions,
  type Claim,
  claimVerdicts,
  compareSources,
  type Statement,
} from './statements.ts';

/** What a matcher returns to the test runner. */
export interface MatcherResult {
  readonly pass: boolean;
  /** Says why the matcher failed. */
  readonly message: () => string;
}

/** What a matcher receives as `this` from the test runner. */
export interface MatcherState {
  readonly isNot?: boolean;
}

type Matcher<Arguments extends readonly unknown[]> = (
  this: MatcherState,
  received: unknown,
  ...args: Arguments
) => MatcherResult | Promise<MatcherResult>;

/** The matchers of {@link matchers}. Not an interface, to which a test runner could not assign its own type of named matchers. */
export type RobotsMatcherFunctions = {
  readonly toAllow: Matcher<[pattern: string, options: AgentOptions]>;
  readonly toDisallow: Matcher<[pattern: string, options: AgentOptions]>;
  readonly toBeEquivalentTo: Matcher<[other: RobotsInput]>;
};

/**
 * Matchers for vitest and jest: `toAllow(pattern, { agent })`, `toDisallow(pattern, { agent })` and `toBeEquivalentTo(other)`. Each proves its
 * statement for all URLs. They accept every {@link RobotsInput}; with a `Response`, they return a promise, which the test must await.
 *
 * What cannot be proved or refuted fails the test, also with `not`: a response with status 503, a missing file, an invalid name of a crawler.
 *
 * @example
 * expect.extend(matchers);
 * expect('User-agent: *\nDisallow: /private/').toAllow('/blog/**', { agent: 'Googlebot' });
 */
export const matchers: RobotsMatcherFunctions = {
  toAllow(received, pattern, options) {
    return matchClaim(received, claimVerdicts('toAllow', 'allow', pattern, options), this);
  },
  toDisallow(received, pattern, options) {
    return matchClaim(received, claimVerdicts('toDisallow', 'block', pattern, options), this);
  },
  toBeEquivalentTo(received, other) {
    return withSources([received, other], ([first, second]) =>
      toResult(compareSources('toBeEquivalentTo', first, second), this),
    );
  },
};

function matchClaim(
  received: unknown,
  claim: Claim,
  state: MatcherState,
): MatcherResult | Promise<MatcherResult> {
  return withSources([received], ([source]) => toResult(claim(source), state));
}

function toResult({ isTrue, describe }: Statement, { isNot = false }: MatcherState): MatcherResult {
  return { pass: isTrue, message: () => describe(isNot) };
}

/** The types of the matchers for a value of type `Received`, with what they return for a robots.txt that is there already. */
export interface RobotsMatchers<Result, Received> {
  /**
   * Proves that all URLs that match a pattern are allowed. A text without `*` and final `$` is one URL.
   *
   * @param pattern - a URL or pattern, as in `robots.test.yaml`: `/blog/**`.
   */
  toAllow(pattern: string, options: AgentOptions): Settled<Received, Result>;
  /**
   * Proves that all URLs that match a pattern are disallowed. A text without `*` and final `$` is one URL.
   *
   * @param pattern - a URL or pattern, as in `robots.test.yaml`: `/private/**`.
   */
  toDisallow(pattern: string, options: AgentOptions): Settled<Received, Result>;
  /** Proves that every URL has the same verdict in both files, for every crawler. */
  toBeEquivalentTo<Other extends RobotsInput>(other: Other): Settled<Received | Other, Result>;
}
