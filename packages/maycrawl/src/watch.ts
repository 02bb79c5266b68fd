/**
 * `maycrawl/watch`: stores every version of sites' robots.txt, says what changes mean, and notifies of them.
 *
 * @module
 */
export { ExpectationError } from './expectations/expectations.ts';
export type { EventReport } from './watch/event-report.ts';
export {
  createMonitor,
  type Monitor,
  type MonitorOptions,
  type WatchSettings,
  type WorkOptions,
} from './watch/monitor.ts';
export type { Pruned } from './watch/pruning.ts';
export type { Severity } from './watch/site.ts';
export { TargetError } from './watch/telling/target-error.ts';
