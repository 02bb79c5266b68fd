/**
 * What the service counts, for Prometheus.
 *
 * @module
 */

import type { ClientEvent, RobotsStore } from '@maycrawl/client';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { RequestTimes } from './request-times.ts';

/** Counters of one service. */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #times: RequestTimes = new RequestTimes(this.registry);
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

  readonly #refusals: Counter<'code'> = new Counter({
    name: 'maycrawl_refusals_total',
    help: 'Requests, lines and questions that were refused, by the code of the problem.',
    labelNames: ['code'],
    registers: [this.registry],
  });

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

  /** Reports the size of a store with each reading of the metrics, if the store knows it. */
  observe(store: RobotsStore): void {
    const getStats = store.stats?.bind(store);
    if (getStats === undefined) return;
    const registers = [this.registry];
    const labelNames = ['what'] as const;
    new Gauge({
      name: 'maycrawl_store_size',
      help: 'Origins and bytes in the store, and what this process has evicted.',
      ...{ registers, labelNames },
      async collect() {
        // A store that cannot be used is reported by /readyz and as a failure.
        const stats = await getStats().catch(() => undefined);
        if (stats === undefined) return this.reset();
        for (const what of ['origins', 'bytes', 'evictions'] as const) this.set({ what }, stats[what]);
      },
    });
  }

  /** Counts a request that was answered. @param milliseconds - how long that took. */
  answered(route: string, status: number, milliseconds: number): void {
    this.#times.add(route, status, milliseconds / 1000);
  }

  /** Counts requests, lines or questions that were refused. @param code - of the problem. */
  refused(code: string, count = 1): void {
    if (count > 0) this.#refusals.inc({ code }, count);
  }

  /** Counts what the client did. */
  count(event: ClientEvent): void {
    if (event.kind === 'fetched') this.#fetches.inc({ outcome: event.outcome });
    if (event.kind === 'store-failed') this.#storeFailures.inc();
  }
}
