/**
 * The histogram of request durations, for Prometheus. That of prom-client looks up its labels at each observation, which takes as
 * long as a decision.
 *
 * @module
 */
import type { Registry } from 'prom-client';

/** Upper bounds in seconds, ascending. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const NAME = 'maycrawl_request_seconds';
const HELP = 'Duration of requests by route and status.';

/** Requests of one route and status. */
class Series {
  /** Requests by bucket, not cumulative; the last bucket has no upper bound. */
  readonly counts: Float64Array = new Float64Array(BUCKETS.length + 1);
  seconds = 0;

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket++;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.seconds += seconds;
  }
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The durations of requests by route and status. */
export class RequestTimes {
  readonly #series: Map<string, Map<number, Series>> = new Map();

  /** @param registry - reads the histogram when metrics are collected. */
  constructor(registry: Registry) {
    registry.registerMetric({
      name: NAME,
      help: HELP,
      type: 'histogram',
      aggregator: 'sum',
      get: async () => this.#collect(),
      reset: () => this.#series.clear(),
    } as unknown as Parameters<Registry['registerMetric']>[0]);
  }

  /** Counts a request. */
  add(route: string, status: number, seconds: number): void {
    let byStatus = this.#series.get(route);
    if (byStatus === undefined) {
      byStatus = new Map();
      this.#series.set(route, byStatus);
    }
    let series = byStatus.get(status);
    if (series === undefined) {
      series = new Series();
      byStatus.set(status, series);
    }
    series.add(seconds);
  }

  /** Converts the histogram to the format of prom-client. */
  #collect(): object {
    const values: Value[] = [];
    for (const [route, byStatus] of this.#series)
      for (const [status, { counts, seconds }] of byStatus) {
        const labels = { route, status: String(status) };
        let count = 0;
        for (const [index, each] of counts.entries()) {
          count += each;
          const le = BUCKETS[index] ?? '+Inf';
          values.push({ metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: count });
        }
        values.push({ metricName: `${NAME}_sum`, labels, value: seconds });
        values.push({ metricName: `${NAME}_count`, labels, value: count });
      }
    return { name: NAME, help: HELP, type: 'histogram', values, aggregator: 'sum' };
  }
}
