// Settings of a site, as the user gives them in options or in a file.

import { ASPECTS } from '../../../api/watch/aspects.ts';
import { requireValidExpectations } from '../../../expectations/expectations.ts';
import { SEVERITIES } from '../../../reports/severities.ts';
import { visible } from '../../../text/printable.ts';
import { findObstacle } from '../../../watch/notifications/targets/obstacle.ts';
import { describeTarget, parseTarget } from '../../../watch/notifications/targets/target.ts';
import type { Severity, SiteSettings } from '../../../watch/site.ts';
import type { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { readTextFile } from '../../input/file.ts';
import { requireCrawler } from '../../input/options.ts';
import { CommandError } from '../../output/errors.ts';
import { addPath, readExpectations } from '../verify/expectations.ts';
import type { GivenSettings } from './options.ts';

/** Maximum size of a file with sites or URLs, in bytes. */
export const MAX_LIST_BYTES: number = 64 * 2 ** 20;

/** Converts given settings, and stores the files that they name. @throws {CommandError} if one is invalid. */
export async function createSettings(
  repository: SiteRepository,
  given: GivenSettings,
): Promise<SiteSettings> {
  const { agent = [], urls, tests, notify = [], severity = [] } = given;
  const notifyFrom = readThresholds(notify, given.notifyFrom ?? []);
  for (const target of notify) await requireDeliverable(target);
  if (tests !== undefined) await checkTests(tests);
  const overrides = Object.fromEntries(severity.map(parseSeverity));
  return {
    every: given.every,
    confirm: given.confirm,
    agents: agent.map((name) => requireCrawler(name).name),
    notify,
    ...(Object.keys(notifyFrom).length > 0 && { notifyFrom }),
    ...(urls !== undefined && {
      urls: await repository.storeText(urls, await readTextFile(urls, MAX_LIST_BYTES)),
    }),
    ...(tests !== undefined && {
      tests: await repository.storeText(tests, await readTextFile(tests, MAX_LIST_BYTES)),
    }),
    ...(severity.length > 0 && { severity: overrides }),
    // The operator may use private addresses.
    isOriginOpen: true,
    openTargets: notify,
  };
}

/** @throws {CommandError} if the expectations are invalid. */
async function checkTests(path: string): Promise<void> {
  try {
    requireValidExpectations(await readExpectations(path));
  } catch (cause) {
    throw addPath(path, cause);
  }
}

/** @throws {CommandError} if the target is invalid, or this machine cannot deliver to it. */
async function requireDeliverable(target: string): Promise<void> {
  checkTarget(target);
  const obstacle = await findObstacle(parseTarget(target), process.env);
  if (obstacle !== undefined)
    throw new CommandError(`cannot deliver to ${describeTarget(target)}: ${visible(obstacle)}`);
}

/** @throws {CommandError} if the target is invalid. */
export function checkTarget(target: string): void {
  try {
    parseTarget(target);
  } catch (cause) {
    throw new CommandError(visible((cause as Error).message), { cause });
  }
}

/**
 * Reads the least severities of targets: a later one replaces an earlier one, and one for a target that for all.
 *
 * @throws {CommandError} for a severity that does not exist, or a target that is not among those of `--notify`.
 */
function readThresholds(notify: readonly string[], given: readonly string[]): Record<string, Severity> {
  const thresholds: Record<string, Severity> = {};
  const parts = given.map((text) => {
    // A target may have "=", a severity has none.
    const at = text.lastIndexOf('=');
    return { target: at < 0 ? null : text.slice(0, at), severity: requireSeverity(text.slice(at + 1)) };
  });
  for (const { target, severity } of parts)
    if (target === null) for (const each of notify) thresholds[each] = severity;
  for (const { target, severity } of parts) {
    if (target === null) continue;
    if (!notify.includes(target))
      throw new CommandError(
        `--notify-from names a target that is not among those of --notify: write TARGET=SEVERITY, with the same TARGET`,
      );
    thresholds[target] = severity;
  }
  return Object.fromEntries(Object.entries(thresholds).filter(([, severity]) => severity !== 'info'));
}

function requireSeverity(name: string): Severity {
  const severity = SEVERITIES.find((each) => each === name);
  if (severity === undefined)
    throw new CommandError(
      `--notify-from must end with a severity (${SEVERITIES.join(', ')}), such as warning or log=warning`,
    );
  return severity;
}

function parseSeverity(text: string): [string, Severity] {
  const at = text.indexOf('=');
  const [aspect, name] = [text.slice(0, at), text.slice(at + 1)];
  const severity = SEVERITIES.find((each) => each === name);
  if (severity !== undefined && Object.hasOwn(ASPECTS, aspect)) return [aspect, severity];
  throw new CommandError(
    `--severity must be ASPECT=SEVERITY, not ${visible(text)}; aspects: ${Object.keys(ASPECTS).join(', ')}; severities: ${SEVERITIES.join(', ')}`,
  );
}
