// The metrics of the service, for Prometheus.

import type { ClientEvent, FullStore } from '@maycrawl/client';
import { Counter, Gauge } from 'prom-client';
import { HttpMetrics } from './http-metrics.ts';
import type { Tokens } from './tokens.ts';

export class Metrics extends HttpMetrics {
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

  constructor() {
    super();
    this.addCounter('maycrawl_decisions_total', 'Decided URLs.', () => this.decisions);
  }

  /** Adds whether all tokens are those of the last attempt to read them. */
  observeTokens(tokens: readonly Tokens[]): void {
    const help =
      'Whether the tokens could be read when their file changed (1), or are those from before (0).';
    this.addGauge('maycrawl_tokens_current', help, () =>
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
    this.addCounter('maycrawl_store_evictions_total', help, () => store.evictions ?? 0);
  }

  /** Counts an event of the robots.txt client. */
  countEvent(event: ClientEvent): void {
    if (event.kind === 'fetched') this.#fetches.inc({ result: event.result });
    if (event.kind === 'store-failed') this.#storeFailures.inc();
  }
}
