/**
 * `@maycrawl/client/policy`: outage policies without Node, for pages: what a status or an outage would mean and when, and policies in prose.
 *
 * @module
 */
export { isOwnRefusal, type OwnRefusalCode } from './http/request-failure.ts';
export { type OperatorOutages, simulateOperatorOutage } from './robots/outage/operator-simulation.ts';
export {
  getCountedOutageStart,
  getNextPhaseStart,
  type OutageScenario,
  type PolicyInterval,
  type SimulatedFailure,
  simulateOutage,
} from './robots/outage/outage-simulation.ts';
export { describeEffect, describeOriginPolicy } from './robots/outage/policy-text.ts';
export { classifyStatus, type StatusClass } from './robots/status-class.ts';
