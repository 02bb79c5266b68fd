// The metrics of an HTTP server and of its process, for Prometheus.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the durations of requests in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export class HttpMetrics {
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
  readonly #refusals: Counter<'code'> = new Counter({
    name: 'maycrawl_refusals_total',
    help: 'Refused connections, requests, lines and URLs by problem code.',
    labelNames: ['code'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // The counters change with every request: fields are cheaper than the objects of the library.
    this.addGauge('maycrawl_requests_in_flight', 'Requests in flight.', () => this.inFlight);
    this.addGauge('maycrawl_connections', 'Open connections.', () => this.connections);
  }

  protected addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      ...{ name, help, registers: [this.registry] },
      collect() {
        this.set(read());
      },
    });
  }

  protected addCounter(name: string, help: string, read: () => number): void {
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
}
