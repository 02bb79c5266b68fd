import type { AddressInfo } from 'node:net';
// The built service, because its threads run built files.
import { MemoryStore } from '../../dist/index.js';
import { createService } from '../../dist/serve/service.js';
import type { Service, ServiceOptions } from '../../dist/serve/service-options.js';

/** A running service on loopback. */
export interface TestService {
  readonly app: Service;
  readonly address: string;
  /** Sends a GET request. @returns the JSON body and the status. */
  get(path: string, init?: RequestInit): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Sends a POST request with a JSON body. */
  post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Starts a service. The default store is in memory. */
export async function startService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const app = await createService({
    store: new MemoryStore(),
    userAgent: 'test',
    allowPrivateAddresses: true,
    timeout: 5_000,
    ...options,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const post = (path: string, body: unknown) =>
    get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { app, address, get, post };
}

/** @returns the path of a decision. */
export function getDecisionPath(url: string, agent = 'Googlebot', profile?: string): string {
  return `/v1/decide?${new URLSearchParams({ url, agent, ...(profile && { profile }) })}`;
}
