// `maycrawl watch run`: checks the sites that are due and delivers notifications, until it is stopped.
import { formatTime } from '../../../reports/policy.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import type { EventReport } from '../../../watch/event-report.ts';
import { isQuiet } from '../../../watch/site.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { getDatabaseName, getDefaultAuditFolder, withMonitor } from './database.ts';
import type { Endpoint } from './endpoint.ts';
import type { RunOptions } from './options.ts';
import { describePruned } from './prune.ts';

/** Milliseconds between two lines of progress. */
const INTERVAL = 10_000;

/** Runs the monitor until it is stopped. @returns the exit code: 0, or 1 if a step failed with `--once`. */
export async function runWatch({
  json = false,
  once = false,
  keep,
  audits: givenFolder,
  metricsHost,
  metricsPort,
  allowedHost,
  ...options
}: RunOptions): Promise<number> {
  const audits = givenFolder ?? getDefaultAuditFolder(options);
  const controller = new AbortController();
  const finish = onInterrupt(() => controller.abort(new Error('stopped')));
  let failures = 0;
  let checked = 0;
  const timer = setInterval(() => printMessage(`${checked} checks so far`), INTERVAL);
  timer.unref();
  // A monitor that ends by itself is a job, whose exit code is its health.
  const hasEndpoint = metricsPort !== undefined && !once;
  if (metricsPort !== undefined && once) printMessage('--metrics-port has no effect with --once');
  const openEndpoint = async (): Promise<Endpoint> =>
    (await import('./endpoint.ts')).openEndpoint(getDatabaseName(options), options.timeout, {
      ...{ metricsHost, ...(metricsPort !== undefined && { metricsPort }) },
      ...(allowedHost && { allowedHost }),
    });
  try {
    await withMonitor(options, async (monitor) => {
      const endpoint = hasEndpoint ? await openEndpoint() : undefined;
      const metrics = endpoint?.metrics;
      try {
        await monitor.run({
          once,
          signal: controller.signal,
          ...(keep !== undefined && { keep }),
          ...(audits !== undefined && { audits }),
          onAuditStarted: (origin, run) => printMessage(`auditing ${visible(origin)}: ${visible(run)}`),
          onAuditEnded: (origin, run, events) => {
            metrics?.countAudit();
            metrics?.countEvents(events);
            printMessage(
              `audited ${visible(origin)}: ${visible(run)}, ${formatCount(events.length, 'event')}`,
            );
            for (const event of events) printEvent(event, json);
          },
          onLogRead: (origin, path, events) => {
            metrics?.countLogReading();
            metrics?.countEvents(events);
            printMessage(
              `read the access log of ${visible(origin)}: ${visible(path)}, ${formatCount(events.length, 'event')}`,
            );
            for (const event of events) printEvent(event, json);
          },
          onChecked: (_origin, event) => {
            checked++;
            if (event === undefined) return;
            metrics?.countEvents([event]);
            printEvent(event, json);
          },
          onUnconfirmed: (origin, dueAt) =>
            printMessage(
              `${visible(origin)} fails; it is checked again at ${formatTime(dueAt) ?? '-'} before that is reported`,
            ),
          onPruned: (pruned) => {
            if (Object.values(pruned).some((count) => count > 0))
              printMessage(`${describePruned(pruned)} deleted`);
          },
          onActivity: (activity) => metrics?.countActivity(activity),
          onError: (what, error) => {
            failures++;
            metrics?.countError();
            printMessage(`${what}: ${error instanceof Error ? error.message : String(error)}`);
          },
        });
      } finally {
        await endpoint?.close();
      }
    });
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
