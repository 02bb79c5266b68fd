// The endpoint of `maycrawl watch run`: health and metrics, if there is a port for it.
import { isPostgresUrl } from '@maycrawl/client/internal';
import { type Logger, pino } from 'pino';
import { createMonitorEndpoint } from '../../../serve/watch/monitor-endpoint.ts';
import type { WatchMetrics } from '../../../serve/watch/watch-metrics.ts';
import { printMessage } from '../../output/terminal.ts';
import { checkAllowedHosts, listen } from '../serve/listen.ts';
import { openDatabase } from './database.ts';
import type { RunOptions } from './options.ts';

/** Deadlines of the database: Prometheus waits ten seconds for all statements. */
const DEADLINES = { connectTimeout: 2_000, statementTimeout: 2_000 };
/** The time without a step of the work after which a monitor counts as stalled, in milliseconds, and three times the time of a fetch. */
const STALL_TIME = 300_000;

export interface Endpoint {
  readonly metrics: WatchMetrics;
  close(): Promise<void>;
}

/**
 * Opens the endpoint.
 *
 * @param name - the database, which the monitor has opened before.
 * @param timeout - milliseconds for one fetch.
 * @throws {CommandError} if it cannot listen.
 */
export async function openEndpoint(
  name: string,
  timeout: number,
  {
    metricsHost: host,
    metricsPort: port = 0,
    allowedHost = [],
  }: Pick<RunOptions, 'metricsHost' | 'metricsPort' | 'allowedHost'>,
): Promise<Endpoint> {
  checkAllowedHosts(allowedHost);
  const database = await openDatabase(name, DEADLINES);
  try {
    const { app, metrics } = await createMonitorEndpoint({
      ...{ database, hosts: [host, ...allowedHost], stallTime: STALL_TIME + 3 * timeout },
      databaseFiles: isPostgresUrl(name) ? [] : [name],
      log: createMessageLog(),
    });
    const address = await listen(app, host, port, '--metrics-port');
    printMessage(`metrics: ${address}/metrics, health: ${address}/healthz`);
    return {
      metrics,
      close: async () => {
        await app.close();
        await database.db.close();
      },
    };
  } catch (error) {
    await database.db.close();
    throw error;
  }
}

/** Creates a log whose warnings are messages like the others of the command. */
function createMessageLog(): Logger {
  return pino(
    { level: 'warn' },
    {
      write: (line) => {
        const { msg, err, reason = err?.message } = JSON.parse(line);
        printMessage(reason === undefined ? msg : `${msg}: ${reason}`);
      },
    },
  );
}
