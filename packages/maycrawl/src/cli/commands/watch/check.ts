// `maycrawl watch check`: checks sites immediately, and prints the results.
import { describeOriginPolicy } from '@maycrawl/client/policy';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import type { SiteCheckReport } from '../../../watch/event-report.ts';
import { formatSeverity } from '../../output/findings.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { findOrigins, withMonitor, withRepository } from './database.ts';
import type { CheckSitesOptions } from './options.ts';

/**
 * Checks sites immediately, also those that are set aside. A failure is checked again after some seconds. The first Ctrl-C ends the check
 * in progress, and prints the results until then; a second one ends the process.
 *
 * @returns the exit code: 0, 1 if a site fails, has an alarming change or is not monitored, 2 if a check has no result.
 */
export async function checkSites(sites: readonly string[], options: CheckSitesOptions): Promise<number> {
  const { origins, missing } = await withRepository(options, (repository) => findOrigins(repository, sites));
  let exitCode = missing.length === 0 ? 0 : 1;
  const controller = new AbortController();
  const finish = onInterrupt(() => {
    printMessage('stopping: the next maycrawl watch run checks the sites without a result');
    exitCode = 2;
    controller.abort(new Error('stopped'));
  });
  await withMonitor(options, async (monitor) => {
    const reports = await monitor.check(origins, {
      signal: controller.signal,
      onError: (what, error) => {
        exitCode = 2;
        printMessage(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      },
    });
    for (const report of reports) {
      if (options.json) printJson(report);
      else printReport(report);
      if (exitCode === 0 && isAlarming(report)) exitCode = 1;
    }
  }).finally(finish);
  if (missing.length > 0)
    printMessage(
      `not monitored: ${missing.map((site) => visible(site)).join(', ')}; maycrawl watch list prints the sites that are`,
    );
  return exitCode;
}

function isAlarming({ event, policy }: SiteCheckReport): boolean {
  return policy.kind === 'disallow-all' || (event !== null && event.severity !== 'info');
}

function describePolicyNow(policy: SiteCheckReport['policy'], outage: SiteCheckReport['outage']): string {
  if (outage === null) return describeOriginPolicy({ policy, outage });
  const since = outage.since === null ? null : Date.parse(outage.since);
  return describeOriginPolicy({ policy, outage: { since, message: outage.message } });
}

function printReport({ origin, policy, outage, version, event, waiting }: SiteCheckReport): void {
  printLine(`${visible(origin)}  version ${version}`);
  printLine(`    ${visible(describePolicyNow(policy, outage))}`);
  if (event === null) printLine('    nothing has changed since the last check');
  else {
    printLine(`    ${formatSeverity(event.severity, 8)}  ${visible(event.title)}`);
    for (const line of event.text.split('\n').filter((each) => each !== ''))
      printLine(`        ${visible(line)}`);
  }
  if (waiting > 0)
    printLine(`    ${formatCount(waiting, 'message')} to deliver; maycrawl watch run delivers`);
}
