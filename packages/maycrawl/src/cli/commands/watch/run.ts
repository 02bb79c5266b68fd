/**
 * `maycrawl watch run`: checks the sites that are due and delivers notifications, until it is stopped.
 *
 * @module
 */
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import type { EventReport } from '../../../watch/event-report.ts';
import { deliver } from '../../../watch/notifications/delivery/deliver.ts';
import { createTestMessage } from '../../../watch/notifications/messages/message.ts';
import { describeTarget, parseTarget } from '../../../watch/notifications/targets/target.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { type DatabaseOptions, withMonitor } from './database.ts';
import { describePruned } from './prune.ts';
import { checkTarget } from './site-settings.ts';

export interface RunOptions extends DatabaseOptions {
  readonly once?: boolean;
  readonly userAgent: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly allowPrivate?: boolean;
  /** Milliseconds. */
  readonly keep?: number;
}

/** Milliseconds between two lines of progress. */
const INTERVAL = 10_000;

/** Runs the monitor until it is stopped. @returns the exit code: 0, or 1 if a step failed with `--once`. */
export async function runWatch({
  json = false,
  once = false,
  keep,
  ...options
}: RunOptions): Promise<number> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('stopped'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let failures = 0;
  let checked = 0;
  const timer = setInterval(() => printMessage(`${checked} checks so far`), INTERVAL);
  timer.unref();
  try {
    await withMonitor(options, (monitor) =>
      monitor.run({
        once,
        signal: controller.signal,
        ...(keep !== undefined && { keep }),
        onChecked: (_origin, event) => {
          checked++;
          if (event !== undefined) printEvent(event, json);
        },
        onPruned: (pruned) => {
          if (Object.values(pruned).some((count) => count > 0))
            printMessage(`${describePruned(pruned)} deleted`);
        },
        onError: (what, error) => {
          failures++;
          printMessage(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        },
      }),
    );
  } finally {
    clearInterval(timer);
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
  if (once) printMessage(`${formatCount(checked, 'site')} checked`);
  return failures > 0 && once ? 1 : 0;
}

function printEvent({ at, origin, kind, severity, title, throttled }: EventReport, isJson: boolean): void {
  if (isJson) printJson({ at, origin, kind, severity, title, throttled });
  else printLine(`${at}  ${severity.padEnd(8)}  ${visible(title)}`);
}

/** Sends a test message. @returns the exit code: 0 if it was delivered, else 2. */
export async function testTarget(target: string): Promise<number> {
  checkTarget(target);
  const log = (_severity: string, line: string): void => {
    printLine(line);
  };
  const receipt = await deliver(parseTarget(target), createTestMessage(Date.now()), {
    environment: process.env,
    log,
  });
  if (receipt.kind === 'delivered') {
    printLine(`delivered to ${visible(describeTarget(target))}`);
    return 0;
  }
  printMessage(`not delivered to ${describeTarget(target)}: ${receipt.reason}`);
  return 2;
}
