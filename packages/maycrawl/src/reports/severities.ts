// The order of severities.
import type { Severity } from '@maycrawl/core';

/** All severities, the worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Compares severities for an order that has the worst first. */
export function compareSeverities(a: Severity, b: Severity): number {
  return SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);
}

/** Returns whether a severity is `least` or a worse one. A text that is no severity is neither. */
export function isAtLeast(severity: string, least: Severity): boolean {
  return SEVERITIES.slice(0, SEVERITIES.indexOf(least) + 1).some((each) => each === severity);
}

/** Returns the worst of some severities; `info` of none. */
export function getWorstSeverity(severities: readonly Severity[]): Severity {
  return SEVERITIES.find((each) => severities.includes(each)) ?? 'info';
}
