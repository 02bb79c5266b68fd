// `maycrawl conformance serve`: sites for a crawler, and the report about its requests.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConformanceReport } from '../../../api/conformance-report.ts';
import { type ConformanceServer, openConformanceServer } from '../../../conformance/conformance-server.ts';
import { countOutcome, formatReport } from '../../../conformance/report.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printJson, writeOut } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import type { ConformanceServeOptions } from './options.ts';

/**
 * Serves until an interrupt or the idle time, and prints the report.
 *
 * @returns the exit code: 0 if no request was forbidden, 1 if any was, 2 if there was no request.
 * @throws {CommandError} if it cannot start.
 */
export async function serveConformance(options: ConformanceServeOptions): Promise<number> {
  const { agent, port, scenario: scenarios, idle, profile } = options;
  if (agent !== undefined && !/^[a-z_-]+$/i.test(agent))
    throw new CommandError(`--agent must be a product token (letters, - and _), not ${visible(agent)}`);
  const server = await openConformanceServer({
    port,
    ...(agent !== undefined && { agent }),
    ...(scenarios !== undefined && { scenarios }),
  }).catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === undefined && !(cause instanceof RangeError)) throw cause;
    throw new CommandError(code === undefined ? message : `cannot listen: ${message}`, { cause });
  });
  try {
    printMessage(
      `${formatCount(server.starts.length, 'site')}: ${server.url} (list: ${server.url}urls.txt, report: ${server.url}report); stop with Ctrl-C`,
    );
    if (agent === undefined) printMessage('sites that name the crawler are omitted: give --agent');
    await waitForEnd(server, idle);
  } finally {
    await server.close();
  }
  const reports = server.getReport();
  if (options.json === true) printJson({ scenarios: reports } satisfies ConformanceReport, 2);
  else await writeOut(formatReport(reports));
  if (countOutcome(reports, profile, 'not-visited') === reports.length) return 2;
  return countOutcome(reports, profile, 'failed') > 0 ? 1 : 0;
}

/** Waits for an interrupt, or until there was no request for some time. */
async function waitForEnd(server: ConformanceServer, idle: number | undefined): Promise<void> {
  const controller = new AbortController();
  const finish = onInterrupt(() => controller.abort());
  const startedAt = Date.now();
  try {
    while (!controller.signal.aborted) {
      const last = server.getLastRequest() ?? startedAt;
      const rest = idle === undefined ? LONGEST_WAIT : last + idle - Date.now();
      if (rest <= 0) return;
      await sleep(rest, undefined, { signal: controller.signal }).catch(() => {});
    }
  } finally {
    finish();
  }
}

/** Milliseconds for which a timer can be set. */
const LONGEST_WAIT = 2 ** 31 - 1;
