// Delivers the notifications that are due, and records the results.

import { formatCount } from '../../../text/counts.ts';
import type { Activity } from '../../activity.ts';
import { MAX_ALERTS, type Message } from '../../message.ts';
import type { DeliveryResult, Outbox, PendingMessage } from '../../storage/outbox.ts';
import { renewWhile } from '../../storage/rows.ts';
import { getNextAttempt } from './pauses.ts';
import type { Receipt } from './receipt.ts';

export interface DeliverDueOptions {
  readonly outbox: Outbox;
  /** Delivers one message; `isOpen` is whether the target may be on a private address. It never throws. */
  readonly deliver: (target: string, message: Message, isOpen: boolean) => Promise<Receipt>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1, so that retries of messages that failed together are spread. */
  readonly random: () => number;
  /** Receives failed deliveries. */
  readonly onError?: (operation: string, error: unknown) => void;
  /** Receives each step of the work. */
  readonly onActivity?: (activity: Activity) => void;
}

/** After this time the next messages of a target are delivered in the next turn, so that sites are checked in between. Milliseconds. */
const TURN = 5_000;

/** Delivers messages whose time has come. @returns the number of messages. */
export async function deliverDue(owner: string, options: DeliverDueOptions): Promise<number> {
  const { outbox, now } = options;
  const pending = await outbox.claim(owner, now(), MAX_ALERTS);
  const targets = new Map<string, PendingMessage[]>();
  for (const each of pending) targets.set(each.target, [...(targets.get(each.target) ?? []), each]);
  await renewWhile(
    () => outbox.renew(owner, pending),
    () => Promise.all(Array.from(targets.values(), (own) => deliverToTarget(owner, own, options))),
  );
  return pending.length;
}

/** Delivers messages to one target, one after another, so that they arrive in order. */
async function deliverToTarget(
  owner: string,
  messages: readonly PendingMessage[],
  { outbox, deliver, now, random, onError, onActivity }: DeliverDueOptions,
): Promise<void> {
  const start = now();
  for (const [index, pending] of messages.entries()) {
    const receipt = await deliver(pending.target, pending.message, pending.isOpen);
    const result = toDeliveryResult(receipt, pending, now(), random());
    await outbox.settle(owner, pending, result, now());
    if (result.kind !== 'untried') onActivity?.({ kind: 'delivery', result: result.kind });
    const { length } = pending.message.alerts;
    const alerts = `${formatCount(length, 'alert')} ${length === 1 ? 'was' : 'were'}`;
    if (result.kind === 'dropped') onError?.(`${alerts} given up`, result.reason);
    // Only at the first attempt: `watch status` shows the last reason.
    else if (result.kind === 'postponed' && pending.attempts === 0)
      onError?.(`${alerts} not delivered`, result.reason);
    if (now() - start < TURN || index === messages.length - 1) continue;
    // After a slow failure the other messages of the target wait as long.
    await outbox.release(owner, pending, result.kind === 'postponed' ? result.until : undefined);
    return;
  }
}

function toDeliveryResult(
  receipt: Receipt,
  { message, attempts }: PendingMessage,
  now: number,
  random: number,
): DeliveryResult {
  if (receipt.kind === 'delivered') return receipt;
  const { code, reason, retryAt, isFinal } = receipt;
  // The program stops, which is not a failure of the receiver.
  if (code === 'aborted') return { kind: 'untried' };
  const firstAttemptAt = Math.min(...message.alerts.map(({ at }) => at));
  const until = getNextAttempt({ attempts: attempts + 1, firstAttemptAt, retryAt, isFinal }, now, random);
  return until === null ? { kind: 'dropped', reason } : { kind: 'postponed', until, reason };
}
