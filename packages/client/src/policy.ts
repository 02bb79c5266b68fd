/**
 * `@maycrawl/client/policy`: outage policies without Node, for pages: what an outage would mean and when, and policies in prose.
 *
 * @module
 */
export {
  getNextPhaseStart,
  type OutageScenario,
  type PolicyInterval,
  type SimulatedFailure,
  simulateOutage,
} from './robots/outage/outage-simulation.ts';
export { describeEffect, describeOriginPolicy } from './robots/outage/policy-text.ts';
