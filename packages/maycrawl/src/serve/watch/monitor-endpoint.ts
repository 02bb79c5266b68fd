// The endpoint of `maycrawl watch run`: `/healthz`, `/readyz` and `/metrics`, on the server of the service.
import { sql } from '@maycrawl/client/internal';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { formatCount } from '../../text/counts.ts';
import type { WatchDatabase } from '../../watch/storage/database.ts';
import { Clients } from '../limits/clients.ts';
import { LIMITS } from '../limits/limits.ts';
import { Readiness } from '../routes/readiness.ts';
import { addMetricsRoute, addProbes } from '../routes/state-routes.ts';
import { createApp } from '../server/app.ts';
import { limitMetrics } from '../server/guards.ts';
import { createFailureLog } from '../server/log-failure.ts';
import { WatchMetrics } from './watch-metrics.ts';

export interface MonitorEndpointOptions {
  /** A connection of its own, which the caller closes. */
  readonly database: WatchDatabase;
  /** Paths of the SQLite files in use. */
  readonly databaseFiles: readonly string[];
  /** Host names and addresses, in addition to those of the loopback interface. */
  readonly hosts: readonly string[];
  /** Milliseconds without a step of the work after which the monitor counts as stalled. */
  readonly stallTime: number;
  readonly log: Logger;
  /** Milliseconds since 1970. @defaultValue `Date.now` */
  readonly now?: () => number;
  /** A monotonic clock in milliseconds. @defaultValue `performance.now` */
  readonly clock?: () => number;
}

/** Creates the endpoint, which is ready to listen, and the metrics that the caller counts. */
export async function createMonitorEndpoint({
  database,
  databaseFiles,
  hosts,
  stallTime,
  log,
  now = Date.now,
  clock = () => performance.now(),
}: MonitorEndpointOptions): Promise<{ readonly app: FastifyInstance; readonly metrics: WatchMetrics }> {
  const metrics = new WatchMetrics(database, now, clock);
  const clients = new Clients({ limits: LIMITS });
  const logFailure = createFailureLog(log);
  const { app, stopping } = createApp({ limits: LIMITS, ...{ clients, metrics, log, logFailure, hosts } });
  addProbes(app, {
    readiness: new Readiness(() => writeNothing(database), databaseFiles),
    notReady: 'the database is not usable; nothing is checked',
    isDraining: () => stopping.isDraining,
    findFault: () => {
      const { idleTime } = metrics;
      if (idleTime <= stallTime) return undefined;
      return `no check, delivery or pass was completed for ${formatCount(Math.floor(idleTime / 1000), 'second')}`;
    },
    log,
  });
  await app.register(async (api) => {
    limitMetrics(api, clients);
    addMetricsRoute(api, { metrics });
  });
  await app.ready();
  return { app, metrics };
}

/** Begins and ends a transaction that writes. It fails if the database is read-only. */
async function writeNothing({ db }: WatchDatabase): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.run(sql`update watch_sites set due_at = due_at where false`);
  });
}
