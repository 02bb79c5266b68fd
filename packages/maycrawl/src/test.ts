/// <reference types="node" preserve="true" />
/**
 * `maycrawl/test`: tests of a robots.txt that prove a statement for all URLs: matchers for vitest and jest, and assertions for `node:test`.
 *
 * @module
 */
import './matchers/expect-types.ts';

export { assertAllows, assertDisallows, assertEquivalent } from './matchers/assertions.ts';
export {
  type MatcherResult,
  type MatcherState,
  matchers,
  type RobotsMatcherFunctions,
  type RobotsMatchers,
} from './matchers/matchers.ts';
export type { NextRobots, NextRobotsRule } from './matchers/next-robots.ts';
export type { RobotsFile, RobotsInput, Settled } from './matchers/robots-source.ts';
export { RobotsTestError, type RobotsTestErrorCode } from './matchers/robots-test-error.ts';
export type { AgentOptions } from './matchers/statements.ts';
