// `maycrawl watch test`: sends test messages to targets.
import { visible } from '../../../text/printable.ts';
import { createTestMessage } from '../../../watch/message.ts';
import { deliver, deliverStored } from '../../../watch/notifications/delivery/deliver.ts';
import type { Receipt } from '../../../watch/notifications/delivery/receipt.ts';
import { describeTarget, parseTarget } from '../../../watch/notifications/targets/target.ts';
import { printLine } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { withRepository } from './database.ts';
import type { DatabaseOptions } from './options.ts';
import { checkTarget } from './site-settings.ts';
import { readAllSites } from './sites.ts';

/**
 * Sends a test message.
 *
 * @param target - by default each target of the monitored sites, as the monitor delivers to it.
 * @returns the exit code: 0 if all messages were delivered, 1 if there is no target, else 2.
 */
export async function testTargets(target: string | undefined, options: DatabaseOptions): Promise<number> {
  return target === undefined ? testStoredTargets(options) : testTarget(target);
}

async function testTarget(target: string): Promise<number> {
  checkTarget(target);
  const log = (_severity: string, line: string): void => {
    printLine(line);
  };
  const { env: environment } = process;
  const receipt = await deliver(parseTarget(target), createTestMessage(Date.now()), { environment, log });
  return report(target, receipt) ? 0 : 2;
}

async function testStoredTargets(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (repository, _outbox, { targets }) => {
    /** Whether each target may be on a private address. */
    const found = new Map<string, boolean>();
    for await (const site of readAllSites(repository)) {
      const { notify, openTargets = [] } = repository.settingsIn(site);
      for (const target of notify)
        found.set(target, found.get(target) === true || openTargets.includes(target));
    }
    if (found.size === 0) {
      printMessage('no site has a target: set one with watch add SITE --notify TARGET');
      return 1;
    }
    let exitCode = 0;
    for (const [target, isOpen] of found) {
      const receipt = await deliverStored(target, createTestMessage(Date.now()), {
        ...{ targets, isOpen, environment: process.env },
      });
      if (!report(target, receipt)) exitCode = 2;
    }
    return exitCode;
  });
}

/** Prints the result of a delivery. @returns whether it succeeded. */
function report(target: string, receipt: Receipt): boolean {
  const name = visible(describeTarget(target));
  if (receipt.kind === 'delivered') printLine(`delivered to ${name}`);
  else printMessage(`not delivered to ${name}: ${visible(receipt.reason)}`);
  return receipt.kind === 'delivered';
}
