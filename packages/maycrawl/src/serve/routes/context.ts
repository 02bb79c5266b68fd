// The parts of the service that its routes use.

import type { FullStore } from '@maycrawl/client';
import type { Logger } from 'pino';
import type { Agents } from '../decide/agents.ts';
import type { Decider } from '../decide/decider.ts';
import type { ServiceStore } from '../decide/private-partition.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../server/metrics.ts';

/** The parts of the service that its routes use. */
export interface Context {
  readonly agents: Agents;
  readonly clients: Clients;
  readonly decider: Decider;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly store: FullStore;
  /** The entries of the store that this service may use. */
  readonly entries: ServiceStore;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: Logger;
}
