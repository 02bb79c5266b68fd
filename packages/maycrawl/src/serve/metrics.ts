/**
 * What the service counts, for Prometheus.
 *
 * @module
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ClientEvent } from '../client/origins.ts';

/** Seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counters of one service. */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #requests: Histogram<'route' | 'status'> = new Histogram({
    name: 'maycrawl_request_seconds',
    help: 'Requests by route and status, and how long they took.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  /** Requests that are being answered. */
  underWay = 0;
  /** URLs that were decided about. */
  decisions = 0;
  readonly #fetches: Counter<'outcome'> = new Counter({
    name: 'maycrawl_fetches_total',
    help: 'Robots.txt files that were asked for, by what came of it.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #storeFailures: Counter = new Counter({
    name: 'maycrawl_store_failures_total',
    help: 'Failed uses of the store that were told; at most one a second is.',
    registers: [this.registry],
  });

  /** The series of each route and status: to look them up by their labels takes longer than to count. */
  readonly #series: Map<string, { observe(seconds: number): void }> = new Map();

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    const read = (): { readonly underWay: number; readonly decisions: number } => this;
    new Gauge({
      name: 'maycrawl_requests_under_way',
      help: 'Requests that are being answered.',
      registers,
      collect() {
        this.set(read().underWay);
      },
    });
    new Counter({
      name: 'maycrawl_decisions_total',
      help: 'URLs that were decided about.',
      registers,
      collect() {
        this.reset();
        this.inc(read().decisions);
      },
    });
  }

  /** Counts a request that was answered. @param milliseconds - how long that took. */
  answered(route: string, status: number, milliseconds: number): void {
    const key = `${status} ${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = this.#requests.labels({ route, status: String(status) });
      this.#series.set(key, series);
    }
    series.observe(milliseconds / 1000);
  }

  /** Counts what the client did. */
  count(event: ClientEvent): void {
    if (event.kind === 'fetched') this.#fetches.inc({ outcome: event.outcome });
    if (event.kind === 'store-failed') this.#storeFailures.inc();
  }
}
