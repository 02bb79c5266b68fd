// The metrics of the service, for Prometheus.

import type { ClientEvent, FullStore } from '@maycrawl/client';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Tokens } from './tokens.ts';

/** Upper bounds of the durations of requests in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #times: Histogram<'route' | 'status'> = new Histogram({
    name: 'maycrawl_request_seconds',
    help: 'Duration of requests by route and status.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  /** Requests that count against the limit of concurrent requests. */
  inFlight = 0;
  /** Open connections. */
  connections = 0;
  /** Decided URLs. */
  decisions = 0;
  readonly #fetches: Counter<'result'> = new Counter({
    name: 'maycrawl_fetches_total',
    help: 'Fetches of robots.txt by their result.',
    labelNames: ['result'],
    registers: [this.registry],
  });
  readonly #storeFailures: Counter = new Counter({
    name: 'maycrawl_store_failures_total',
    help: 'Failed store operations; at most one per second is counted.',
    registers: [this.registry],
  });

  readonly #refusals: Counter<'code'> = new Counter({
    name: 'maycrawl_refusals_total',
    help: 'Refused connections, requests, lines and URLs by problem code.',
    labelNames: ['code'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // The counters change with every request: fields are cheaper than the objects of the library.
    this.#addGauge('maycrawl_requests_in_flight', 'Requests in flight.', () => this.inFlight);
    this.#addGauge('maycrawl_connections', 'Open connections.', () => this.connections);
    this.#addCounter('maycrawl_decisions_total', 'Decided URLs.', () => this.decisions);
  }

  /** Adds whether all tokens are those of the last attempt to read them. */
  observeTokens(tokens: readonly Tokens[]): void {
    const help =
      'Whether the tokens could be read when their file changed (1), or are those from before (0).';
    this.#addGauge('maycrawl_tokens_current', help, () =>
      tokens.some(({ isOutdated }) => isOutdated) ? 0 : 1,
    );
  }

  /** Adds the size and the evictions of a store, if the store can report them. */
  observe(store: FullStore): void {
    if (store.stats === undefined) return;
    new Gauge({
      name: 'maycrawl_store_size',
      help: 'Origins and bytes in the store.',
      ...{ registers: [this.registry], labelNames: ['what'] as const },
      async collect() {
        // /readyz and maycrawl_store_failures_total report a store that fails.
        const stats = await store.stats().catch(() => undefined);
        if (stats === undefined) return this.reset();
        for (const what of ['origins', 'bytes'] as const) this.set({ what }, stats[what]);
      },
    });
    const help = 'Origins that this process has evicted from the store.';
    this.#addCounter('maycrawl_store_evictions_total', help, () => store.evictions ?? 0);
  }

  #addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      ...{ name, help, registers: [this.registry] },
      collect() {
        this.set(read());
      },
    });
  }

  #addCounter(name: string, help: string, read: () => number): void {
    new Counter({
      ...{ name, help, registers: [this.registry] },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** Counts a response. @param milliseconds - since the request. */
  countResponse(route: string, status: number, milliseconds: number): void {
    this.#times.observe({ route, status }, milliseconds / 1000);
  }

  /** Counts refused connections, requests, lines or URLs. @param code - of the problem. */
  countRefusal(code: string, count = 1): void {
    if (count > 0) this.#refusals.inc({ code }, count);
  }

  /** Counts an event of the robots.txt client. */
  countEvent(event: ClientEvent): void {
    if (event.kind === 'fetched') this.#fetches.inc({ result: event.result });
    if (event.kind === 'store-failed') this.#storeFailures.inc();
  }
}
