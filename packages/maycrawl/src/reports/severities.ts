// The order of severities.
import type { Severity } from '@maycrawl/core';

/** All severities, the worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];
