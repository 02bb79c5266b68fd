// Assertion functions, for `node:test` and every other test runner.
import { AssertionError } from 'node:assert';
import { type RobotsInput, type Settled, withSources } from './robots-source.ts';
import {
  type AgentOptions,
  type Claim,
  claimVerdicts,
  compareSources,
  type Statement,
} from './statements.ts';

/**
 * Asserts that all URLs that match a pattern are allowed: it is proved, not sampled.
 *
 * @param robots - a robots.txt. With a `Response`, the result is a promise, which the test must await.
 * @param pattern - a URL or pattern, as in `robots.test.yaml`: `/blog/**`.
 * @throws {AssertionError} if a URL is disallowed. The message has an example, with the line and rule that decide it.
 * @throws {RobotsTestError} if it can be neither proved nor refuted.
 * @throws {TypeError} {RangeError} if an argument is invalid.
 * @example
 * assertAllows({ file: 'public/robots.txt' }, '/blog/**', { agent: 'Googlebot' });
 */
export function assertAllows<const Input extends RobotsInput>(
  robots: Input,
  pattern: string,
  options: AgentOptions,
): Settled<Input> {
  return assertClaim(robots, claimVerdicts('assertAllows', 'allow', pattern, options), assertAllows);
}

/**
 * Asserts that all URLs that match a pattern are disallowed, as {@link assertAllows} does for allowed ones.
 *
 * @param robots - a robots.txt. With a `Response`, the result is a promise, which the test must await.
 * @param pattern - a URL or pattern, as in `robots.test.yaml`: `/private/**`.
 * @throws {AssertionError} if a URL is allowed.
 * @throws {RobotsTestError} if it can be neither proved nor refuted.
 * @throws {TypeError} {RangeError} if an argument is invalid.
 */
export function assertDisallows<const Input extends RobotsInput>(
  robots: Input,
  pattern: string,
  options: AgentOptions,
): Settled<Input> {
  return assertClaim(robots, claimVerdicts('assertDisallows', 'block', pattern, options), assertDisallows);
}

/**
 * Asserts that every URL has the same verdict in both files, for every crawler.
 *
 * @param robots - a robots.txt. If one of the two is a `Response`, the result is a promise, which the test must await.
 * @throws {AssertionError} if a verdict differs. The message has examples, with the lines and rules that decide them.
 * @throws {RobotsTestError} if it can be neither proved nor refuted.
 * @throws {TypeError} if one is no robots.txt.
 */
export function assertEquivalent<const Input extends RobotsInput, const Other extends RobotsInput>(
  robots: Input,
  other: Other,
): Settled<Input | Other> {
  return withSources([robots, other], ([first, second]) =>
    requireTrue(compareSources('assertEquivalent', first, second), assertEquivalent),
  ) as Settled<Input | Other>;
}

type AnyFunction = (...args: never[]) => unknown;

function assertClaim<Input>(robots: Input, claim: Claim, caller: AnyFunction): Settled<Input> {
  return withSources([robots], ([source]) => requireTrue(claim(source), caller)) as Settled<Input>;
}

/** @param caller - the assertion: the stack of the error starts at the test that called it. */
function requireTrue({ isTrue, describe }: Statement, caller: AnyFunction): void {
  if (isTrue) return;
  throw new AssertionError({ message: describe(false), operator: caller.name, stackStartFn: caller });
}
