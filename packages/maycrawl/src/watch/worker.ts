/**
 * The worker: checks what is due and tells what is to be told, again and again. Any number of them share a database.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { LeaseRenewal } from '@maycrawl/client/database';
import { RETRY_PAUSE } from './attempts.ts';
import { type CheckOptions, check } from './check.ts';
import { nextTryAt } from './notifications/delivery/pauses.ts';
import type { Receipt } from './notifications/delivery/receipt.ts';
import type { Message } from './notifications/messages/message.ts';
import type { Outbox, Pending, Told } from './storage/outbox.ts';
import type { CheckResult, ClaimedSite } from './storage/recording.ts';
import { LEASE_TIME } from './storage/rows.ts';
import type { SiteRepository } from './storage/site-repository.ts';
import type { EventRow } from './storage/tables.ts';

/** What a worker needs. */
export interface WorkerOptions extends CheckOptions {
  readonly repository: SiteRepository;
  readonly outbox: Outbox;
  /** Delivers one message; `isOpen` is whether the target may be on a private address. It never throws. */
  readonly deliver: (target: string, message: Message, isOpen: boolean) => Promise<Receipt>;
  /** From 0 up to 1, by which tries of what failed together are kept apart. */
  readonly random: () => number;
  /** Waits for so many milliseconds, or until the signal is aborted. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Stop when nothing is due any more. */
  readonly once?: boolean;
  /** Is told what was checked, for progress and logs. */
  readonly onChecked?: (origin: string, event: EventRow | undefined) => void;
  /** Is told what could not be written down. */
  readonly onError?: (what: string, error: unknown) => void;
  /** Checks at the same time. */
  readonly concurrency?: number;
}

/** So many sites are taken on at a time. */
const BATCH = 200;
const CONCURRENCY = 64;
/** As many as one message may have (notifications/messages/message.ts). */
const ALERTS = 1_000;
/** A target that takes longer for its messages than this gets the others in a later turn: sites are checked in between. Milliseconds. */
const TURN = 5_000;
/** Nobody sleeps longer: others may add sites. Milliseconds. */
const LONGEST_SLEEP = 1_000;
/** After a failure of the database. Milliseconds. */
const PAUSE = 2_000;

/** Works until it is aborted; with `once`, until nothing is due. What it has begun then is ended, and the rest given back. */
export async function work(options: WorkerOptions): Promise<void> {
  const { repository, signal, now, sleep, once = false } = options;
  const owner = randomUUID();
  let last = Number.POSITIVE_INFINITY;
  try {
    while (!signal.aborted) {
      try {
        // At the start, and when the clock was put back.
        const time = now();
        if (time < last) await repository.correctTimes(time);
        last = time;
        const sites = await checkDue(owner, options);
        const messages = await tellDue(owner, options);
        if (sites + messages > 0) continue;
        if (once) return;
        await sleep(await pauseUntilNext(options));
      } catch (error) {
        if (signal.aborted) return;
        if (once) throw error;
        options.onError?.('the database cannot be used', error);
        await sleep(PAUSE);
      }
    }
  } finally {
    await repository
      .release(owner)
      .catch((error: unknown) => options.onError?.('sites were not given back', error));
  }
}

async function pauseUntilNext({ repository, outbox, now }: WorkerOptions): Promise<number> {
  const next = [await repository.nextDue(), await outbox.nextAt()].filter((time) => time !== null);
  return Math.min(LONGEST_SLEEP, Math.max(0, Math.min(...next) - now()));
}

/** @returns how many sites were due. */
async function checkDue(owner: string, options: WorkerOptions): Promise<number> {
  const { repository, now, onError, concurrency = CONCURRENCY } = options;
  const sites = await repository.claimDue(owner, now(), BATCH, (origin, error) =>
    onError?.(`${origin} was not checked`, error),
  );
  const hosts = byHost(sites).values();
  const visit = async (): Promise<void> => {
    for (const host of hosts) for (const site of host) await checkOne(site, options);
  };
  await whileRenewed(
    () => repository.renew(owner, sites),
    () => Promise.all(Array.from({ length: concurrency }, visit)),
  );
  return sites.length;
}

/** Does some work, and renews leases until it ends. */
async function whileRenewed(renew: () => Promise<void>, work: () => Promise<unknown>): Promise<void> {
  const renewal = new LeaseRenewal(renew, LEASE_TIME);
  renewal.start();
  try {
    await work();
  } finally {
    renewal.stop();
  }
}

/** Sites on one host are asked one after another. */
function byHost(sites: readonly ClaimedSite[]): Map<string, ClaimedSite[]> {
  const hosts = new Map<string, ClaimedSite[]>();
  for (const site of sites) {
    const { hostname } = new URL(site.origin);
    const others = hosts.get(hostname);
    if (others === undefined) hosts.set(hostname, [site]);
    else others.push(site);
  }
  return hosts;
}

async function checkOne(site: ClaimedSite, options: WorkerOptions): Promise<void> {
  const { repository, signal, now, onChecked, onError } = options;
  if (signal.aborted) return;
  try {
    const outcome = await check(site, repository, options);
    if (outcome.kind === 'checked') {
      const event = await recordResult(outcome.result, repository);
      onChecked?.(site.origin, event);
    } else if (outcome.kind === 'set-aside') {
      const event = await repository.setAside(outcome.result);
      onChecked?.(site.origin, event);
      onError?.(site.origin, new Error(outcome.result.meaning.title));
    } else if (outcome.kind === 'postponed') {
      await repository.postpone(site, outcome.dueAt);
      if (outcome.reason !== undefined)
        onError?.(`${site.origin} was not checked`, new Error(outcome.reason));
    }
  } catch (error) {
    if (signal.aborted) return;
    onError?.(`${site.origin} was not checked`, error);
    // If the database fails, the site is due again when the lease expires.
    await repository.postpone(site, now() + Math.min(site.settings.every, RETRY_PAUSE)).catch(() => {});
  }
}

/** Records the result of a check. If that fails, the analysis has ended by itself all the same: it is no attempt. */
async function recordResult(result: CheckResult, repository: SiteRepository): Promise<EventRow | undefined> {
  try {
    return await repository.record(result);
  } catch (error) {
    // With no database to write to, the first error says why.
    await repository.withdrawAttempt(result.site).catch(() => {});
    throw error;
  }
}

/** @returns how much was to be told. */
async function tellDue(owner: string, options: WorkerOptions): Promise<number> {
  const { outbox, now } = options;
  const pending = await outbox.claim(owner, now(), ALERTS);
  const targets = new Map<string, Pending[]>();
  for (const each of pending) targets.set(each.target, [...(targets.get(each.target) ?? []), each]);
  await whileRenewed(
    () => outbox.renew(owner, pending),
    () => Promise.all(Array.from(targets.values(), (own) => tellTarget(owner, own, options))),
  );
  return pending.length;
}

/** Tells one target, a message after another, so that they arrive in their order. */
async function tellTarget(
  owner: string,
  messages: readonly Pending[],
  { outbox, deliver, now, random, onError }: WorkerOptions,
): Promise<void> {
  const start = now();
  for (const [index, pending] of messages.entries()) {
    const receipt = await deliver(pending.target, pending.message, pending.isOpen);
    const told = toldBy(receipt, pending, now(), random());
    await outbox.settle(owner, pending, told, now());
    const { length } = pending.message.alerts;
    if (told.kind === 'dropped') onError?.(`${length} messages were given up`, told.reason);
    // Once: it is tried again many times, and `watch status` shows the last reason.
    else if (told.kind === 'postponed' && pending.attempts === 0)
      onError?.(`${length} ${length === 1 ? 'alert was' : 'alerts were'} not delivered`, told.reason);
    if (now() - start < TURN || index === messages.length - 1) continue;
    // Behind one that failed so slowly the others wait as long.
    await outbox.release(owner, pending, told.kind === 'postponed' ? told.until : undefined);
    return;
  }
}

function toldBy(receipt: Receipt, { message, attempts }: Pending, now: number, random: number): Told {
  if (receipt.kind === 'delivered') return receipt;
  const { code, reason, retryAt, isFinal } = receipt;
  // This program stops: the receiver has nothing to do with that.
  if (code === 'aborted') return { kind: 'untried' };
  const firstTryAt = Math.min(...message.alerts.map(({ at }) => at));
  const until = nextTryAt({ tries: attempts + 1, firstTryAt, retryAt, isFinal }, now, random);
  return until === null ? { kind: 'dropped', reason } : { kind: 'postponed', until, reason };
}
