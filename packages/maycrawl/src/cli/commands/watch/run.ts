/**
 * `maycrawl watch run`: checks what is due and tells what is to be told, until it is stopped.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { refetchRobotsTxt } from '@maycrawl/client';
import { createAnalysisThreads } from '../../../watch/analysis-threads.ts';
import type { EventRow } from '../../../watch/tables.ts';
import { deliver } from '../../../watch/telling/deliver.ts';
import { testMessage } from '../../../watch/telling/message.ts';
import type { Receipt } from '../../../watch/telling/receipt.ts';
import { describeTarget, parseTarget, type Target } from '../../../watch/telling/target.ts';
import { TargetError } from '../../../watch/telling/target-error.ts';
import { work } from '../../../watch/worker.ts';
import { timeoutOf } from '../../input/source.ts';
import { tell, toJson, visible } from '../../output/terminal.ts';
import { type DatabaseOptions, withRepository } from './database.ts';
import { keepOf, keepPruning } from './prune.ts';
import { checkTarget } from './sites.ts';

export interface RunOptions extends DatabaseOptions {
  readonly once?: boolean;
  readonly userAgent: string;
  readonly timeout: string;
  readonly allowPrivate?: boolean;
  readonly keep?: string;
}

/** How often it is told how far it has come, in milliseconds. */
const INTERVAL = 10_000;

/** Works. @returns the exit code: 0, or 1 if with `--once` not everything could be done. */
export async function runWatch(options: RunOptions): Promise<number> {
  const timeout = timeoutOf(options.timeout);
  const keep = keepOf(options.keep, '--keep');
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('stopped'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let failures = 0;
  let checked = 0;
  const timer = setInterval(() => tell(`${checked} checks so far`), INTERVAL);
  timer.unref();
  const { signal } = controller;
  // It is told of in the same line as its event.
  const log = (): void => {};
  const once = options.once === true;
  const rest = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal }).catch(() => {});
  const onError = (what: string, error: unknown): void => {
    failures++;
    tell(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const threads = createAnalysisThreads({ onError: (error) => onError('a thread has failed', error) });
  try {
    await withRepository(options, async (repository, outbox, database) => {
      const pruned =
        keep === undefined ? undefined : keepPruning(database, { keep, once, signal, sleep: rest });
      await work({
        ...{ repository, outbox, timeout, userAgent: options.userAgent, allowPrivate: options.allowPrivate },
        fetcher: refetchRobotsTxt,
        analyse: threads.analyse,
        signal,
        now: Date.now,
        sleep: rest,
        once,
        deliver: async (target, message, isOpen) => {
          const obstacle = database.targets.findObstacle(target);
          if (obstacle !== undefined) return failedReceipt('sealed-target', obstacle);
          const parsed = parseStoredTarget(target);
          if ('code' in parsed) return parsed;
          // Variables of the environment are the operator's own words as well.
          const isOwn = isOpen || parsed.kind === 'env';
          const allowPrivate = options.allowPrivate ?? (isOwn ? undefined : false);
          return deliver(parsed, message, { environment: process.env, signal, log, allowPrivate });
        },
        random: Math.random,
        onChecked: (origin, event) => {
          checked++;
          if (event !== undefined) show(origin, event, options.json === true);
        },
        onError,
      });
      await pruned;
    });
  } finally {
    await threads.close();
    clearInterval(timer);
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
  if (once) tell(`${checked} ${checked === 1 ? 'site' : 'sites'} checked`);
  return failures > 0 && once ? 1 : 0;
}

/** A target as the database has it; the receipt of a failure if it is none, as where another release of maycrawl set it. */
function parseStoredTarget(text: string): Target | FailedReceipt {
  try {
    return parseTarget(text);
  } catch (error) {
    if (error instanceof TargetError) return failedReceipt('invalid-target', error.message);
    throw error;
  }
}

type FailedReceipt = Extract<Receipt, { kind: 'failed' }>;

/** The receipt of a message that could not be sent: it is tried again, since the operator can put it right. */
function failedReceipt(code: FailedReceipt['code'], reason: string): FailedReceipt {
  return { kind: 'failed', code, reason, retryAt: null, isFinal: false };
}

function show(origin: string, { at, kind, severity, title, damped }: EventRow, isJson: boolean): void {
  const time = new Date(at).toISOString();
  if (isJson)
    process.stdout.write(`${toJson({ at: time, origin, kind, severity, title, throttled: damped === 1 })}\n`);
  else process.stdout.write(`${time}  ${severity.padEnd(8)}  ${visible(title)}\n`);
}

/** Sends a message that says nothing but that messages arrive. @returns the exit code: 0 if it was delivered, else 2. */
export async function testTarget(target: string): Promise<number> {
  checkTarget(target);
  const log = (_severity: string, line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const receipt = await deliver(parseTarget(target), testMessage(Date.now()), {
    environment: process.env,
    log,
  });
  if (receipt.kind === 'delivered') {
    process.stdout.write(`delivered to ${visible(describeTarget(target))}\n`);
    return 0;
  }
  tell(`not delivered to ${describeTarget(target)}: ${receipt.reason}`);
  return 2;
}
