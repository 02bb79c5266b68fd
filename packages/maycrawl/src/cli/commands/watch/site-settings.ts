// Settings of a site, as the user gives them in options or in a file.
import { requireValidExpectations } from '../../../expectations/expectations.ts';
import { visible } from '../../../text/printable.ts';
import { DEFAULT_SEVERITIES } from '../../../watch/analysis/aspects.ts';
import { findObstacle } from '../../../watch/notifications/targets/obstacle.ts';
import { describeTarget, parseTarget } from '../../../watch/notifications/targets/target.ts';
import { SEVERITIES, type Severity, type SiteSettings } from '../../../watch/site.ts';
import type { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { readTextFile } from '../../input/file.ts';
import { requireCrawler } from '../../input/options.ts';
import { CommandError } from '../../output/errors.ts';
import { addPath, readExpectations } from '../verify/expectations.ts';

/** Maximum size of a file with sites or URLs, in bytes. */
export const MAX_LIST_BYTES: number = 64 * 2 ** 20;

export interface GivenSettings {
  readonly every: number;
  /** Milliseconds. */
  readonly confirm: number;
  readonly agent?: readonly string[];
  /** Paths of files. */
  readonly urls?: string;
  readonly tests?: string;
  readonly notify?: readonly string[];
  /** `ASPECT=SEVERITY` */
  readonly severity?: readonly string[];
}

/** Converts given settings, and stores the files that they name. @throws {CommandError} if one is invalid. */
export async function createSettings(
  repository: SiteRepository,
  given: GivenSettings,
): Promise<SiteSettings> {
  const { agent = [], urls, tests, notify = [], severity = [] } = given;
  for (const target of notify) await requireDeliverable(target);
  if (tests !== undefined) await checkTests(tests);
  const overrides = Object.fromEntries(severity.map(parseSeverity));
  return {
    every: given.every,
    confirm: given.confirm,
    agents: agent.map((name) => requireCrawler(name).name),
    notify,
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

function parseSeverity(text: string): [string, Severity] {
  const at = text.indexOf('=');
  const [aspect, name] = [text.slice(0, at), text.slice(at + 1)];
  const severity = SEVERITIES.find((each) => each === name);
  if (severity !== undefined && Object.hasOwn(DEFAULT_SEVERITIES, aspect)) return [aspect, severity];
  throw new CommandError(
    `--severity must be ASPECT=SEVERITY, not ${visible(text)}; aspects: ${Object.keys(DEFAULT_SEVERITIES).join(', ')}; severities: ${SEVERITIES.join(', ')}`,
  );
}
