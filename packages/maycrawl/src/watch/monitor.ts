// A monitor: a database of sites, and the work on it. It has no terminal.

import { setTimeout as sleep } from 'node:timers/promises';
import { refetchRobotsTxt } from '@maycrawl/client';
import { resolveAgent } from '@maycrawl/core';
import { checkOptions, requireStrings } from '@maycrawl/core/internal';
import { getOrigin } from '@maycrawl/core/url';
import { ASPECTS } from '../api/watch/aspects.ts';
import { parseExpectations, requireValidExpectations } from '../expectations/expectations.ts';
import { SEVERITIES } from '../reports/severities.ts';
import { createAnalysisThreads } from './analysis/analysis-threads.ts';
import { runScheduledAudits } from './audits/scheduled-audits.ts';
import { type EventReport, readSiteReport, type SiteCheckReport, toEventReport } from './event-report.ts';
import { readScheduledLogs } from './logs/scheduled-logs.ts';
import {
  MONITOR_OPTIONS,
  type MonitorOptions,
  WATCH_SETTINGS,
  type WatchSettings,
  WORK_OPTIONS,
  type WorkOptions,
} from './monitor-options.ts';
import { deliverStored } from './notifications/delivery/deliver.ts';
import { describeTarget, parseTarget } from './notifications/targets/target.ts';
import { DEFAULT_CONFIRM, type SiteSettings } from './site.ts';
import { openWatchDatabase, type WatchDatabase } from './storage/database.ts';
import { Outbox } from './storage/outbox.ts';
import { prune } from './storage/pruning.ts';
import { SiteRepository } from './storage/site-repository.ts';
import { checkNow, type WorkerOptions, work } from './worker.ts';

/** The shortest time from one check to the next, in milliseconds. */
const MIN_EVERY = 60_000;
const DEFAULT_EVERY = 3_600_000;
/** The pause before {@link Monitor.check} checks a failure again, in milliseconds. */
const CONFIRM_PAUSE = 3_000;
/** From one pruning to the next, in milliseconds. */
const PRUNE_PAUSE = 3_600_000;
/** More sites than this are not checked at the same time at first, but spread over their interval. */
const MANY = 100;

/** Watches sites: stores every version of their robots.txt, and notifies of changes. Any number of monitors can share a database. */
export class Monitor {
  readonly #options: MonitorOptions;
  readonly #database: WatchDatabase;
  readonly #repository: SiteRepository;

  /** Use {@link createMonitor}. */
  constructor(options: MonitorOptions, database: WatchDatabase) {
    this.#options = options;
    this.#database = database;
    this.#repository = new SiteRepository(database);
  }

  /**
   * Watches sites, or changes how they are watched.
   *
   * @param sites - http, https or ftp URLs.
   * @throws {RangeError} for a URL, an agent, an interval or a severity that cannot be used.
   * @throws {TargetError} for an invalid target.
   * @throws {ExpectationError} for expectations that cannot be checked.
   */
  async add(sites: readonly string[], settings: WatchSettings = {}): Promise<void> {
    checkOptions<WatchSettings>('Monitor.add', settings, WATCH_SETTINGS);
    requireStrings('Monitor.add: sites', sites);
    const origins = [...new Set(sites.map(getOrigin))];
    const {
      every = DEFAULT_EVERY,
      confirm = DEFAULT_CONFIRM,
      agents = [],
      urls,
      tests,
      notify = [],
      notifyFrom = {},
      severity,
    } = settings;
    if (!Number.isSafeInteger(every) || every < MIN_EVERY)
      throw new RangeError(`every is a whole number of milliseconds from ${MIN_EVERY} on, not ${every}`);
    if (!Number.isSafeInteger(confirm) || confirm < 0)
      throw new RangeError(`confirm is a whole number of milliseconds, not ${confirm}`);
    for (const [aspect, name] of Object.entries(severity ?? {}))
      if (!Object.hasOwn(ASPECTS, aspect) || !SEVERITIES.includes(name))
        throw new RangeError(`not the severity of an aspect: ${aspect}: ${String(name)}`);
    requireStrings('Monitor.add: agents', agents);
    requireStrings('Monitor.add: notify', notify);
    for (const target of notify) parseTarget(target);
    for (const [target, name] of Object.entries(notifyFrom))
      if (!notify.includes(target) || !SEVERITIES.includes(name))
        throw new RangeError(
          `notifyFrom must have targets of notify and severities, not ${describeTarget(target)}: ${String(name)}`,
        );
    if (tests !== undefined)
      requireValidExpectations(await parseExpectations(tests, (name) => resolveAgent(name)));
    const stored: SiteSettings = {
      ...{ every, confirm, notify, agents: agents.map((name) => resolveAgent(name).name) },
      ...(urls !== undefined && { urls: await this.#repository.storeText('urls.txt', urls) }),
      ...(tests !== undefined && { tests: await this.#repository.storeText('robots.test.yaml', tests) }),
      ...(Object.keys(notifyFrom).length > 0 && { notifyFrom }),
      ...(severity && { severity }),
      // The caller names them, so that they may be on private addresses.
      ...{ isOriginOpen: true, openTargets: notify },
    };
    await this.#repository.addSites(origins, stored, spreadChecks(origins.length, every));
  }

  /** Stops watching sites, and deletes what is stored of them. @returns how many were watched. */
  async remove(sites: readonly string[]): Promise<number> {
    requireStrings('Monitor.remove: sites', sites);
    return this.#repository.removeSites(sites.map(getOrigin));
  }

  /** The latest events, of one site or of all, the newest first. */
  async getEvents(limit: number, site?: string): Promise<EventReport[]> {
    const events = await this.#repository.events(limit, site === undefined ? undefined : getOrigin(site));
    return events.map(toEventReport);
  }

  /** Checks the sites that are due and delivers notifications, until the signal aborts. */
  async run(options: WorkOptions = {}): Promise<void> {
    checkOptions<WorkOptions>('Monitor.run', options, WORK_OPTIONS);
    const { signal = new AbortController().signal, once = false, keep } = options;
    const { onChecked, onUnconfirmed, onError, onLogRead, onActivity } = options;
    const rest = (milliseconds: number): Promise<void> =>
      sleep(milliseconds, undefined, { signal }).catch(() => {});
    await this.#withWorker({ ...options, signal }, async (worker) => {
      const pruning = keep === undefined ? undefined : this.#keepPruning(keep, signal, rest, options);
      const audits = runScheduledAudits(this.#database, { ...worker, ...options, signal, sleep: rest });
      const logs = readScheduledLogs(this.#database, {
        ...{ signal, once, sleep: rest, now: worker.now },
        ...(onError && { onError }),
        ...(onLogRead && { onLogRead }),
      });
      // Their events are delivered by the work that follows.
      if (once) await Promise.all([audits, logs]);
      await work({
        ...{ ...worker, signal, once, sleep: rest },
        onChecked: (origin, event) => onChecked?.(origin, event && toEventReport(event)),
        ...(onUnconfirmed && { onUnconfirmed }),
        ...(onActivity && { onActivity }),
      });
      await pruning;
      await audits;
      await logs;
    });
  }

  /**
   * Checks sites immediately, one after another, also those that are not due or set aside. A failure is checked again after some
   * seconds before it counts. Messages stay in the outbox for {@link run}.
   *
   * @param sites - of those that are watched.
   * @param options - the abort of `signal` ends the check in progress, and omits the sites after it.
   * @returns the state of each site after its check; sites that are not watched, or could not be checked, are omitted.
   */
  async check(
    sites: readonly string[],
    options: Pick<WorkOptions, 'signal' | 'onError'> = {},
  ): Promise<SiteCheckReport[]> {
    checkOptions<WorkOptions>('Monitor.check', options, WORK_OPTIONS);
    const { signal = new AbortController().signal, onError } = options;
    requireStrings('Monitor.check: sites', sites);
    const origins = [...new Set(sites.map(getOrigin))];
    const start = Date.now();
    let failure: unknown;
    const reports: SiteCheckReport[] = [];
    await this.#withWorker({ signal }, async (worker) => {
      for (const origin of origins) {
        if (signal.aborted) return;
        failure = undefined;
        // Immediately before its check: a worker claims sites that are due.
        await this.#repository.recheckSites([origin], Date.now());
        const options: WorkerOptions = {
          ...worker,
          ...{ signal, sleep: () => sleep(0) },
          waitToConfirm: async () => {
            await sleep(CONFIRM_PAUSE, undefined, { signal });
          },
          onError: (what, error) => {
            failure = error;
            onError?.(what, error);
          },
        };
        const isOwn =
          (await this.#repository.site(origin)) !== undefined && (await checkNow(origin, options));
        if (signal.aborted) return;
        const report = await readSiteReport(this.#database, origin, start);
        if (report === undefined || failure !== undefined) continue;
        if (isOwn || Date.parse(report.checkedAt ?? '') >= start) reports.push(report);
        else onError?.(`${origin} was not checked`, new Error('another worker is checking it'));
      }
    });
    return reports;
  }

  /** Runs work with the options of a worker, and closes its threads. */
  async #withWorker(
    { signal = new AbortController().signal, onError }: Pick<WorkOptions, 'signal' | 'onError'>,
    run: (worker: Omit<WorkerOptions, 'sleep' | 'onChecked'>) => Promise<void>,
  ): Promise<void> {
    const {
      userAgent = 'maycrawl',
      timeout = 30_000,
      allowPrivateAddresses,
      environment = process.env,
    } = this.#options;
    const threads = createAnalysisThreads({ onError: (error) => onError?.('a thread has failed', error) });
    const { targets } = this.#database;
    try {
      await run({
        ...{
          repository: this.#repository,
          outbox: new Outbox(this.#database),
          userAgent,
          timeout,
          allowPrivateAddresses,
        },
        ...{
          fetcher: refetchRobotsTxt,
          analyse: threads.analyse,
          signal,
          now: Date.now,
          random: Math.random,
        },
        deliver: (target, message, isOpen) =>
          deliverStored(target, message, { targets, isOpen, environment, signal, allowPrivateAddresses }),
        ...(onError && { onError }),
      });
    } finally {
      await threads.close();
    }
  }

  /** Closes the database. */
  async close(): Promise<void> {
    await this.#database.db.close();
  }

  async #keepPruning(
    keep: number,
    signal: AbortSignal,
    rest: (milliseconds: number) => Promise<void>,
    { once = false, onPruned, onError }: WorkOptions,
  ): Promise<void> {
    while (!signal.aborted) {
      const now = Date.now();
      try {
        onPruned?.(await prune(this.#database, { before: now - keep, now, signal }));
      } catch (error) {
        if (!signal.aborted) onError?.('old versions were not deleted', error);
      }
      if (once) return;
      await rest(PRUNE_PAUSE);
    }
  }
}

/**
 * Opens a monitor, which the caller closes.
 *
 * @example
 * ```js
 * import { createMonitor } from 'maycrawl/watch';
 *
 * const monitor = await createMonitor({ database: './watch.sqlite' });
 * await monitor.add(['https://example.com'], { agents: ['Googlebot'] });
 * await monitor.run({ once: true, onChecked: (origin, event) => console.log(origin, event?.title) });
 * await monitor.close();
 * ```
 *
 * @throws {DatabaseError} if the database cannot be used.
 */
export async function createMonitor(options: MonitorOptions): Promise<Monitor> {
  checkOptions<MonitorOptions>('createMonitor', options, MONITOR_OPTIONS, ['database']);
  return new Monitor(options, await openWatchDatabase(options.database, options.environment));
}

/** When each of some sites is checked first: many of them one after another within their interval. Milliseconds since 1970. */
export function spreadChecks(count: number, every: number): (index: number) => number {
  const now = Date.now();
  return count <= MANY ? () => now : (index) => now + Math.floor((index / count) * every);
}
