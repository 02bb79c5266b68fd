// Outage simulation for an operator: which policies apply if its crawlers do what is documented about them? A pure function, without Node.
import { getPolicySummary, type PolicyCode } from '@maycrawl/core';
import type { CrawlerOperator, OperatorOutagePhase } from '@maycrawl/core/crawlers';
import {
  addInterval,
  checkScenario,
  type OutageScenario,
  type PolicyInterval,
  SCENARIO_TYPES,
} from './outage-simulation.ts';

/** The outages of an operator, as in the records of operators. */
export type OperatorOutages = Pick<CrawlerOperator, 'whenUnavailable' | 'whenUnreachable'>;

/**
 * Simulates an outage for an operator. Its crawlers fetch when the response before is no longer fresh, and again at the end of the outage:
 * operators do not document when they try again.
 *
 * @param operator - what is documented, such as the result of `findOperator`.
 * @returns intervals without gaps, each different from the one before it; `null` if the operator documents nothing about this result.
 * @throws {TypeError} and {RangeError} as `simulateOutage` does.
 */
export function simulateOperatorOutage(
  operator: OperatorOutages,
  scenario: Omit<OutageScenario, 'profile'>,
): PolicyInterval[] | null {
  checkScenario('simulateOperatorOutage', scenario, SCENARIO_TYPES);
  const { before, result, lasts, until } = scenario;
  // A site without a file is no outage.
  const isAbsent = result === 'unavailable';
  const phases = isAbsent ? operator.whenUnavailable : operator.whenUnreachable;
  if (phases === null) return null;
  const intervals: PolicyInterval[] = [];
  const add = (from: number, to: number, code: PolicyCode, isFresh: boolean): void => {
    const end = Math.min(to, until);
    if (from < end) addInterval(intervals, { from, to: end, policy: getPolicySummary(code), isFresh });
  };
  const usual = before?.kind === 'unavailable' ? 'unavailable' : 'rules';
  const failsAt = before === null ? 0 : Math.max(before.freshFor, 0);
  add(0, failsAt, usual, true);
  for (const [index, { from, effect }] of phases.entries()) {
    const code = getCode(effect, scenario);
    const next = phases[index + 1]?.from ?? Infinity;
    add(failsAt + from, Math.min(failsAt + next, lasts), code, isAbsent && code === 'unavailable');
  }
  add(Math.max(failsAt, lasts), until, usual, true);
  return intervals;
}

function getCode(
  effect: OperatorOutagePhase['effect'],
  { before, result, isSiteReachable }: Omit<OutageScenario, 'profile'>,
): PolicyCode {
  const allowed = result === 'unavailable' ? 'unavailable' : 'outage-expired';
  switch (effect) {
    case 'disallow':
      return 'unreachable';
    case 'allow':
      return allowed;
    case 'allow-if-reachable':
      return isSiteReachable ? allowed : 'unreachable';
    case 'last-response':
      if (before === null) return allowed;
      return before.kind === 'successful' ? 'rules' : 'unavailable';
  }
}
