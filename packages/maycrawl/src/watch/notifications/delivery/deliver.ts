// Delivers one message to one target, once: a target, or the text of one in the database. The result is a receipt. The outbox stores
// messages and retries them.

import { isOwnRefusal } from '@maycrawl/client/policy';
import { LENGTHS, type Message } from '../../message.ts';
import { plainLine } from '../../plain.ts';
import type { SealedTargets } from '../../storage/sealed-targets.ts';
import { getSecrets, redact } from '../targets/secrets.ts';
import {
  type DirectTarget,
  type Environment,
  parseTarget,
  resolveTarget,
  type Target,
} from '../targets/target.ts';
import { TargetError } from '../targets/target-error.ts';
import { addToFeed } from './feed.ts';
import { sendMail } from './mail.ts';
import { runProgram } from './program.ts';
import { type Delivery, DeliveryError, type Log, type Receipt } from './receipt.ts';
import { postMessage, postToSlack } from './webhook.ts';

export interface DeliveryOptions {
  /** The variables of `env:NAME` targets, the mail server and the webhook's secret. */
  readonly environment: Environment;
  /** Its abort ends the delivery, which then has failed, but not for good. */
  readonly signal?: AbortSignal;
  /** Milliseconds. @defaultValue 10,000 */
  readonly timeout?: number;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
  /**
   * Whether the target may be on a private address; `false` for targets that the operator did not set.
   *
   * @defaultValue true
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** The target `log`. */
  readonly log?: Log;
}

const TIMEOUT = 10_000;
const MAX_REASON = 300;

/** Delivers a message. It never throws, and takes no longer than the timeout. */
export async function deliver(target: Target, message: Message, options: DeliveryOptions): Promise<Receipt> {
  const { environment, timeout = TIMEOUT, now = Date.now, allowPrivateAddresses, log } = options;
  const deadline = AbortSignal.timeout(timeout);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  let secrets: readonly string[] = [];
  try {
    signal.throwIfAborted();
    const direct = resolveTarget(target, environment);
    secrets = getSecrets(direct, environment);
    await deliverTo(direct, message, { environment, signal, now, allowPrivateAddresses, log });
    return { kind: 'delivered' };
  } catch (error) {
    const {
      code,
      message: reason,
      retryAt,
      isFinal,
    } = toDeliveryError(error, options.signal, deadline, timeout);
    return { kind: 'failed', code, reason: plainLine(redact(reason, secrets), MAX_REASON), retryAt, isFinal };
  }
}

function deliverTo(target: DirectTarget, message: Message, delivery: Delivery): Promise<void> {
  switch (target.kind) {
    case 'webhook':
      return postMessage(target.url, message, delivery);
    case 'slack':
      return postToSlack(target.url, message, delivery);
    case 'mail':
      return sendMail(target.address, message, delivery);
    case 'exec':
      return runProgram(target.command, message, delivery);
    case 'feed':
      return addToFeed(target.path, message, delivery);
    case 'log':
      return writeToLog(message, delivery);
  }
}

async function writeToLog({ alerts }: Message, { log }: Delivery): Promise<void> {
  if (log === undefined) throw new DeliveryError('not-configured', 'there is no log');
  try {
    for (const alert of alerts) log(alert.severity, plainLine(alert.title, LENGTHS.title));
  } catch (error) {
    throw new DeliveryError('log', `the log cannot be written: ${(error as Error).message}`);
  }
}

function toDeliveryError(
  error: unknown,
  signal: AbortSignal | undefined,
  deadline: AbortSignal,
  timeout: number,
): DeliveryError {
  // The response of the receiver is more precise than the abort that may have followed.
  if (error instanceof DeliveryError) return error;
  if (error instanceof TargetError) return new DeliveryError('invalid-target', error.message);
  if (signal?.aborted) return new DeliveryError('aborted', 'the delivery was broken off');
  if (deadline.aborted) return new DeliveryError('timeout', `not done within ${timeout} ms`);
  const { code, message } = error as NodeJS.ErrnoException;
  if (isOwnRefusal(code)) return new DeliveryError(code, message);
  return new DeliveryError('network', `the connection failed: ${code ?? message}`);
}

type FailedReceipt = Extract<Receipt, { kind: 'failed' }>;

/** How messages are delivered. */
export interface StoredDelivery
  extends Pick<DeliveryOptions, 'environment' | 'signal' | 'allowPrivateAddresses'> {
  readonly targets: SealedTargets;
  /** Whether the target may be on a private address. */
  readonly isOpen: boolean;
}

/** Delivers a message to a target of the database. It never throws. */
export async function deliverStored(
  target: string,
  message: Message,
  { targets, isOpen, ...options }: StoredDelivery,
): Promise<Receipt> {
  const obstacle = targets.findObstacle(target);
  if (obstacle !== undefined) return createFailedReceipt('sealed-target', obstacle);
  const parsed = parseStoredTarget(target);
  if ('code' in parsed) return parsed;
  // The operator writes variables of the environment, too.
  const isOwn = isOpen || parsed.kind === 'env';
  const allowPrivateAddresses = options.allowPrivateAddresses ?? (isOwn ? undefined : false);
  // The target `log` is the event itself, which the caller receives.
  return deliver(parsed, message, { ...options, log: () => {}, allowPrivateAddresses });
}

/** Parses a target. A damaged text may not be one; then the result is the receipt of a failure. */
function parseStoredTarget(text: string): Target | FailedReceipt {
  try {
    return parseTarget(text);
  } catch (error) {
    if (error instanceof TargetError) return createFailedReceipt('invalid-target', error.message);
    throw error;
  }
}

/** Creates the receipt of a message that could not be sent. It is retried, since the operator can correct the target. */
function createFailedReceipt(code: FailedReceipt['code'], reason: string): FailedReceipt {
  return { kind: 'failed', code, reason, retryAt: null, isFinal: false };
}
