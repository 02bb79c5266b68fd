// The metrics of a monitor, for Prometheus. No label has the name of a site or of a target.
import { Counter, Gauge, Histogram } from 'prom-client';
import { ASPECTS } from '../../api/watch/aspects.ts';
import { isAtLeast } from '../../reports/severities.ts';
import type { Activity } from '../../watch/activity.ts';
import type { WatchDatabase } from '../../watch/storage/database.ts';
import { Outbox } from '../../watch/storage/outbox.ts';
import { SiteRepository } from '../../watch/storage/site-repository.ts';
import { HttpMetrics } from '../server/http-metrics.ts';

/** Upper bounds of the durations of checks in seconds. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const CHECKS = ['unchanged', 'changed', 'unconfirmed', 'postponed', 'set-aside', 'lost', 'failed'] as const;
const DELIVERIES = ['delivered', 'postponed', 'dropped'] as const;
/** The kinds of events, so that a damaged row does not add a label. */
const KINDS: ReadonlySet<string> = new Set([...Object.keys(ASPECTS), 'settled']);

export class WatchMetrics extends HttpMetrics {
  readonly #now: () => number;
  readonly #checks: Histogram<'result'> = new Histogram({
    name: 'maycrawl_watch_check_seconds',
    help: 'Duration of checks of sites by result.',
    ...{ labelNames: ['result'] as const, buckets: BUCKETS, registers: [this.registry] },
  });
  readonly #deliveries: Counter<'result'> = new Counter({
    name: 'maycrawl_watch_deliveries_total',
    help: 'Attempts to deliver a message by result.',
    ...{ labelNames: ['result'] as const, registers: [this.registry] },
  });
  readonly #events: Counter<'kind' | 'severity'> = new Counter({
    name: 'maycrawl_watch_events_total',
    help: 'Events of sites by kind and severity.',
    ...{ labelNames: ['kind', 'severity'] as const, registers: [this.registry] },
  });
  #audits = 0;
  #logReadings = 0;
  #errors = 0;
  #passAt: number;
  readonly #clock: () => number;
  #activeAt: number;

  /**
   * @param now - milliseconds since 1970.
   * @param clock - milliseconds of a monotonic clock.
   */
  constructor(database: WatchDatabase, now: () => number, clock: () => number) {
    super();
    this.#now = now;
    this.#passAt = now();
    this.#clock = clock;
    this.#activeAt = clock();
    // A rate needs a first value of zero.
    for (const result of CHECKS) this.#checks.zero({ result });
    for (const result of DELIVERIES) this.#deliveries.inc({ result }, 0);
    this.addCounter('maycrawl_watch_audits_total', 'Scheduled audits that ended.', () => this.#audits);
    this.addCounter('maycrawl_watch_log_readings_total', 'Readings of access logs.', () => this.#logReadings);
    this.addCounter(
      'maycrawl_watch_errors_total',
      'Failed operations, which the monitor repeats.',
      () => this.#errors,
    );
    this.addGauge(
      'maycrawl_watch_last_pass_timestamp_seconds',
      'When the monitor last had completed everything that was due, or started.',
      () => this.#passAt / 1000,
    );
    this.#observe(database);
  }

  /** Milliseconds since the last step of the work, or the start. */
  get idleTime(): number {
    return this.#clock() - this.#activeAt;
  }

  countActivity(activity: Activity): void {
    this.#activeAt = this.#clock();
    if (activity.kind === 'pass') this.#passAt = this.#now();
    else if (activity.kind === 'delivery') this.#deliveries.inc({ result: activity.result });
    else this.#checks.observe({ result: activity.result }, activity.milliseconds / 1000);
  }

  countEvents(events: readonly { readonly kind: string; readonly severity: string }[]): void {
    for (const { kind, severity } of events)
      this.#events.inc({
        kind: KINDS.has(kind) ? kind : 'other',
        severity: isAtLeast(severity, 'info') ? severity : 'other',
      });
  }

  countAudit(): void {
    this.#audits++;
  }

  countLogReading(): void {
    this.#logReadings++;
  }

  countError(): void {
    this.#errors++;
  }

  /** Adds what the database has, which is the same for all monitors that share it. Without the database these metrics have no values. */
  #observe(database: WatchDatabase): void {
    const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
    /** The reading in progress, which the metrics share. */
    let current: Promise<DatabaseState | undefined> | undefined;
    const read = async (): Promise<DatabaseState | undefined> => {
      try {
        const time = this.#now();
        const [{ sites, due, nextDue }, messages] = await Promise.all([
          repository.counts(time),
          outbox.counts(),
        ]);
        return { ...{ sites, due, ...messages }, lag: Math.max(0, time - (nextDue ?? time)) };
      } catch {
        // /readyz reports why the database cannot be used.
        return undefined;
      }
    };
    const share = (): Promise<DatabaseState | undefined> => {
      current ??= read().finally(() => {
        current = undefined;
      });
      return current;
    };
    const add = (name: string, help: string, get: (state: DatabaseState) => number): void => {
      new Gauge({
        ...{ name, help, registers: [this.registry] },
        async collect() {
          const state = await share();
          if (state === undefined) this.remove();
          else this.set(get(state));
        },
      });
    };
    add('maycrawl_watch_sites', 'Monitored sites.', ({ sites }) => sites);
    add('maycrawl_watch_due_sites', 'Sites whose check is due.', ({ due }) => due);
    add('maycrawl_watch_lag_seconds', 'Age of the oldest check that is due.', ({ lag }) => lag / 1000);
    add('maycrawl_watch_waiting_alerts', 'Alerts that wait for their delivery.', ({ waiting }) => waiting);
    add(
      'maycrawl_watch_dropped_alerts',
      'Alerts in the database that were given up.',
      ({ dropped }) => dropped,
    );
  }
}

/** What the database has. */
interface DatabaseState {
  readonly sites: number;
  readonly due: number;
  /** Milliseconds. */
  readonly lag: number;
  readonly waiting: number;
  readonly dropped: number;
}
