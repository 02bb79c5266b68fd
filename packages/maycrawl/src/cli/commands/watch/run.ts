// `maycrawl watch run`: checks the sites that are due and delivers notifications, until it is stopped.
import { formatTime } from '../../../reports/policy.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import type { EventReport } from '../../../watch/event-report.ts';
import { isQuiet } from '../../../watch/site.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { type DatabaseOptions, getDefaultAuditFolder, withMonitor } from './database.ts';
import { describePruned } from './prune.ts';

export interface RunOptions extends DatabaseOptions {
  readonly once?: boolean;
  readonly userAgent: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly allowPrivate?: boolean;
  /** Milliseconds. */
  readonly keep?: number;
  /** The folder of the runs of audits. */
  readonly audits?: string;
}

/** Milliseconds between two lines of progress. */
const INTERVAL = 10_000;

/** Runs the monitor until it is stopped. @returns the exit code: 0, or 1 if a step failed with `--once`. */
export async function runWatch({
  json = false,
  once = false,
  keep,
  audits: givenFolder,
  ...options
}: RunOptions): Promise<number> {
  const audits = givenFolder ?? getDefaultAuditFolder(options);
  const controller = new AbortController();
  const finish = onInterrupt(() => controller.abort(new Error('stopped')));
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
        ...(audits !== undefined && { audits }),
        onAuditStarted: (origin, run) => printMessage(`auditing ${visible(origin)}: ${visible(run)}`),
        onAuditEnded: (origin, run, events) => {
          printMessage(`audited ${visible(origin)}: ${visible(run)}, ${formatCount(events.length, 'event')}`);
          for (const event of events) printEvent(event, json);
        },
        onLogRead: (origin, path, events) => {
          printMessage(
            `read the access log of ${visible(origin)}: ${visible(path)}, ${formatCount(events.length, 'event')}`,
          );
          for (const event of events) printEvent(event, json);
        },
        onChecked: (_origin, event) => {
          checked++;
          if (event !== undefined) printEvent(event, json);
        },
        onUnconfirmed: (origin, dueAt) =>
          printMessage(
            `${visible(origin)} fails; it is checked again at ${formatTime(dueAt) ?? '-'} before that is reported`,
          ),
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
    finish();
  }
  if (once) printMessage(`${formatCount(checked, 'site')} checked`);
  return failures > 0 && once ? 1 : 0;
}

function printEvent({ at, origin, kind, severity, title, throttled }: EventReport, isJson: boolean): void {
  // A file with a comment that changes each hour would fill the output; watch log lists these events.
  if (isQuiet({ kind, severity })) return;
  if (isJson) printJson({ at, origin, kind, severity, title, throttled });
  else printLine(`${at}  ${severity.padEnd(8)}  ${visible(title)}`);
}
