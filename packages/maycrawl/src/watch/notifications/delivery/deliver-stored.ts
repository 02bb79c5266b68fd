/**
 * Delivers messages to stored targets.
 *
 * @module
 */

import type { Message } from '../../message.ts';
import type { SealedTargets } from '../../storage/sealed-targets.ts';
import { parseTarget, type Target } from '../targets/target.ts';
import { TargetError } from '../targets/target-error.ts';
import { type DeliveryOptions, deliver } from './deliver.ts';
import type { Receipt } from './receipt.ts';

type FailedReceipt = Extract<Receipt, { kind: 'failed' }>;

/** How messages are delivered. */
export interface StoredDelivery extends Pick<DeliveryOptions, 'environment' | 'signal' | 'allowPrivate'> {
  readonly targets: SealedTargets;
  /** Whether the target may be on a private address. */
  readonly isOpen: boolean;
}

/** Delivers a message. It never throws. */
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
  const allowPrivate = options.allowPrivate ?? (isOwn ? undefined : false);
  // The target `log` is the event itself, which the caller receives.
  return deliver(parsed, message, { ...options, log: () => {}, allowPrivate });
}

/** Parses a target. A text that another release wrote may not be one; then the result is the receipt of a failure. */
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
