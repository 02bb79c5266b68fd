/**
 * What the routes of the service share.
 *
 * @module
 */

import type { RobotsStore } from '@maycrawl/client';
import type { Logger } from 'pino';
import type { Agents } from './agents.ts';
import type { Clients } from './clients.ts';
import type { Decider } from './decider.ts';
import type { Limits } from './limits.ts';
import type { Metrics } from './metrics.ts';

/** What routes share. */
export interface Context {
  readonly agents: Agents;
  readonly clients: Clients;
  readonly decider: Decider;
  readonly store: RobotsStore;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: Logger;
}
