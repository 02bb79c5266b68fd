import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import {
  createMonitorEndpoint,
  type MonitorEndpointOptions,
} from '../../src/serve/watch/monitor-endpoint.ts';
import type { WatchMetrics } from '../../src/serve/watch/watch-metrics.ts';

/** The endpoint of a monitor on loopback, until the test ends. */
export interface TestEndpoint {
  readonly metrics: WatchMetrics;
  readonly address: string;
  /** Sends a GET request. */
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

export async function startEndpoint(
  options: Pick<MonitorEndpointOptions, 'database'> & Partial<MonitorEndpointOptions>,
): Promise<TestEndpoint> {
  const { app, metrics } = await createMonitorEndpoint({
    ...{ databaseFiles: [], hosts: [], stallTime: 60_000, log: pino({ level: 'silent' }) },
    ...options,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const get = async (path: string) => {
    const response = await fetch(`${address}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return { metrics, address, get };
}
