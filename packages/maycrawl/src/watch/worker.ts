// The worker: checks the sites and delivers the notifications that are due, in a loop. Any number of workers share a database.
import { randomUUID } from 'node:crypto';
import type { CheckStatus } from './activity.ts';
import { type CheckOptions, check } from './check.ts';
import { type DeliverDueOptions, deliverDue } from './notifications/delivery/deliver-due.ts';
import { postpone, RETRY_PAUSE, withdrawAttempt } from './storage/attempts.ts';
import { correctTimes } from './storage/database.ts';
import {
  type CheckResult,
  type ClaimedSite,
  recordSetAside,
  recordUnconfirmed,
} from './storage/recording.ts';
import { renewWhile } from './storage/rows.ts';
import type { SiteRepository } from './storage/site-repository.ts';
import type { EventRow } from './storage/tables.ts';

export interface WorkerOptions extends CheckOptions, DeliverDueOptions {
  readonly repository: SiteRepository;
  /** Waits for a number of milliseconds, or until the signal is aborted. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Whether it stops when nothing is due. */
  readonly once?: boolean;
  /** Receives each checked origin, with the event if there is one. */
  readonly onChecked?: (origin: string, event: EventRow | undefined) => void;
  /** Receives each origin that fails, and when it is checked again before that is reported. */
  readonly onUnconfirmed?: (origin: string, dueAt: number) => void;
  /** Concurrent checks. */
  readonly concurrency?: number;
}

/** Sites of one claim. */
const BATCH = 200;
const CONCURRENCY = 64;
/** After this time no more sites are claimed before notifications are delivered. Milliseconds. */
const CLAIM_TIME = 30_000;
/** After this time the next sites of a host are checked after those of other hosts that are due. Milliseconds. */
const TURN = 5_000;
/** Events of sites that are checked together are one message: milliseconds for which an event waits for others, and one step of that. */
const [GATHERING, STEP] = [3_000, 100];
/** The longest sleep, in milliseconds: other processes may add sites. */
const LONGEST_SLEEP = 1_000;
/** The pause after a failure of the database, in milliseconds. */
const FAILURE_PAUSE = 2_000;

/** Works until the signal aborts; with `once`, until nothing is due and each failure is confirmed or not. Checks in progress are completed, other sites are released. */
export async function work(options: WorkerOptions): Promise<void> {
  const { repository, signal, now, sleep, once = false } = options;
  const owner = randomUUID();
  let last = Number.POSITIVE_INFINITY;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  const checkOptions: WorkerOptions = {
    ...options,
    onUnconfirmed: (origin, dueAt) => {
      confirmedAt = Math.max(confirmedAt, dueAt);
      options.onUnconfirmed?.(origin, dueAt);
    },
  };
  try {
    while (!signal.aborted) {
      try {
        // At the start, and when the clock was put back.
        const time = now();
        if (time < last) await correctTimes(repository.database, time);
        last = time;
        const sites = await checkDue(owner, checkOptions);
        const messages = await deliverDue(owner, options);
        options.onActivity?.({ kind: 'pass' });
        if (sites + messages > 0) continue;
        if (once && now() >= confirmedAt) return;
        await sleep(await pauseUntilNext(options));
      } catch (error) {
        if (signal.aborted) return;
        if (once) throw error;
        options.onError?.('the database cannot be used', error);
        await sleep(FAILURE_PAUSE);
      }
    }
  } finally {
    await repository
      .release(owner)
      .catch((error: unknown) => options.onError?.('sites were not released', error));
  }
}

async function pauseUntilNext({ repository, outbox, now }: WorkerOptions): Promise<number> {
  const next = [await repository.nextDue(), await outbox.nextAt()].filter((time) => time !== null);
  return Math.min(LONGEST_SLEEP, Math.max(0, Math.min(...next) - now()));
}

/**
 * Checks the sites that are due, and those that become due meanwhile: a site that does not respond keeps one of the concurrent checks, and
 * not all sites that are claimed after it.
 *
 * @returns the number of claimed sites.
 */
async function checkDue(owner: string, options: WorkerOptions): Promise<number> {
  const { repository, now, signal, onError, concurrency = CONCURRENCY } = options;
  const start = now();
  const claimed = new Set<ClaimedSite>();
  /** Sites by host: those that wait for a check, and those that are being checked. */
  const waiting = new Map<string, ClaimedSite[]>();
  const active = new Map<string, ClaimedSite[]>();
  let count = 0;
  const claim = async (): Promise<void> => {
    const sites = await repository.claimDue(owner, now(), BATCH, (origin, error) =>
      onError?.(`${origin} was not checked`, error),
    );
    count += sites.length;
    for (const site of sites) {
      claimed.add(site);
      const { hostname } = new URL(site.origin);
      const others = active.get(hostname) ?? waiting.get(hostname);
      if (others === undefined) waiting.set(hostname, [site]);
      else others.push(site);
    }
  };
  let claiming: Promise<void> | undefined;
  const deliverNew = createDelivery(owner, options, () => waiting.size + active.size > 0);
  const takeHost = async (): Promise<readonly [string, ClaimedSite[]] | undefined> => {
    if (waiting.size === 0 && !signal.aborted && (count === 0 || now() - start < CLAIM_TIME)) {
      claiming ??= claim().finally(() => {
        claiming = undefined;
      });
      await claiming;
    }
    const [host] = waiting;
    if (host !== undefined) waiting.delete(host[0]);
    return host;
  };
  const visit = async (): Promise<void> => {
    for (let host = await takeHost(); host !== undefined; host = await takeHost()) {
      const [hostname, sites] = host;
      active.set(hostname, sites);
      const since = now();
      // Sites that are claimed meanwhile are added.
      for (const site of sites) {
        if ((await checkOne(site, options)) !== undefined) deliverNew.request();
        claimed.delete(site);
        if (now() - since < TURN || signal.aborted) continue;
        // After a slow check the other sites of the host wait until those of other hosts had their turn.
        const others = sites.splice(sites.indexOf(site) + 1);
        await postpone(repository.database, others, now());
        for (const other of others) claimed.delete(other);
      }
      active.delete(hostname);
    }
    // Other sites may respond slowly.
    await deliverNew.run();
  };
  await renewWhile(
    () => repository.renew(owner, [...claimed]),
    async () => {
      const visits = await Promise.allSettled(Array.from({ length: concurrency }, visit));
      for (const each of visits) if (each.status === 'rejected') throw each.reason;
    },
  );
  return count;
}

/**
 * Creates the delivery of events while sites are being checked, so that none waits for a site that responds slowly.
 *
 * @param isChecking - whether there are sites whose events may be part of the same message.
 * @returns `request` after an event, and `run` when a visit has no further site to check.
 */
function createDelivery(
  owner: string,
  options: WorkerOptions,
  isChecking: () => boolean,
): { readonly request: () => void; readonly run: () => Promise<void> } {
  const { signal, sleep } = options;
  let isRequested = false;
  let isRunning = false;
  const run = async (): Promise<void> => {
    while (isRequested && !isRunning && !signal.aborted) {
      isRunning = true;
      try {
        for (let waited = 0; isChecking() && waited < GATHERING && !signal.aborted; waited += STEP)
          await sleep(STEP);
        isRequested = false;
        await deliverDue(owner, options);
      } finally {
        isRunning = false;
      }
    }
  };
  return {
    request: () => {
      isRequested = true;
    },
    run,
  };
}

/** Checks one site now, also if it is not due. @returns `false` if another worker is checking it. */
export async function checkNow(origin: string, options: WorkerOptions): Promise<boolean> {
  const { repository, now, onError } = options;
  const owner = randomUUID();
  let isDamaged = false;
  const sites = await repository.claimSite(owner, now(), origin, (_origin, error) => {
    isDamaged = true;
    onError?.(`${origin} was not checked`, error);
  });
  try {
    await renewWhile(
      () => repository.renew(owner, sites),
      () => Promise.all(sites.map((site) => checkOne(site, options))),
    );
  } finally {
    // After an abort: other workers need not wait for the end of the lease.
    if (options.signal.aborted) await repository.release(owner);
  }
  return isDamaged || sites.length > 0;
}

/** Checks a site. @returns the event, if there is one. */
async function checkOne(site: ClaimedSite, options: WorkerOptions): Promise<EventRow | undefined> {
  const { repository, signal, now, onChecked, onUnconfirmed, onError } = options;
  if (signal.aborted) return undefined;
  const { database } = repository;
  const start = now();
  const report = (result: CheckStatus): void =>
    options.onActivity?.({ kind: 'check', result, milliseconds: Math.max(0, now() - start) });
  try {
    const outcome = await check(site, repository, options);
    if (outcome.kind === 'checked') {
      const event = await recordResult(outcome.result, repository);
      report(event === undefined ? 'unchanged' : 'changed');
      onChecked?.(site.origin, event);
      return event;
    } else if (outcome.kind === 'set-aside') {
      const event = await recordSetAside(database, outcome.result);
      report(outcome.kind);
      onChecked?.(site.origin, event);
      onError?.(site.origin, new Error(outcome.result.impact.title));
      return event;
    } else if (outcome.kind === 'unconfirmed') {
      await recordUnconfirmed(database, site, outcome.failure, outcome.dueAt);
      report(outcome.kind);
      onUnconfirmed?.(site.origin, outcome.dueAt);
    } else if (outcome.kind === 'postponed') {
      await postpone(database, [site], outcome.dueAt);
      report(outcome.kind);
      if (outcome.reason !== undefined)
        onError?.(`${site.origin} was not checked`, new Error(outcome.reason));
    } else report(outcome.kind);
  } catch (error) {
    if (signal.aborted) return undefined;
    report('failed');
    onError?.(`${site.origin} was not checked`, error);
    // If the database fails, the site is due again when the lease expires.
    await postpone(database, [site], now() + Math.min(site.settings.every, RETRY_PAUSE)).catch(() => {});
  }
  return undefined;
}

/** Records the result of a check. If that fails, the attempt does not count: its analysis was completed. */
async function recordResult(result: CheckResult, repository: SiteRepository): Promise<EventRow | undefined> {
  try {
    return await repository.record(result);
  } catch (error) {
    // If the database fails, the first error names the reason.
    await withdrawAttempt(repository.database, result.site).catch(() => {});
    throw error;
  }
}
