/// <reference types="node" preserve="true" />
/**
 * `maycrawl/watch`: stores every version of sites' robots.txt, says what changes mean, and notifies of them.
 *
 * @module
 */
export { ExpectationError } from './expectations/expectations.ts';
export type { Activity, CheckStatus } from './watch/activity.ts';
export type { EventReport } from './watch/event-report.ts';
export { createMonitor, type Monitor } from './watch/monitor.ts';
export type { MonitorOptions, WatchSettings, WorkOptions } from './watch/monitor-options.ts';
export { TargetError } from './watch/notifications/targets/target-error.ts';
export type { Severity } from './watch/site.ts';
export type { Pruned } from './watch/storage/pruning.ts';
