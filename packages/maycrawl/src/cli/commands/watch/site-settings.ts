/**
 * Settings of a site, as the user gives them in options or in a file.
 *
 * @module
 */
import { createReadStream } from 'node:fs';
import { readStart } from '@maycrawl/client/streams';
import { parse } from '@maycrawl/core';
import { checkExpectations } from '../../../expectations/expectations.ts';
import { visible } from '../../../text/printable.ts';
import { SEVERITY_OF } from '../../../watch/analysis/aspects.ts';
import { findObstacle } from '../../../watch/notifications/targets/obstacle.ts';
import { describeTarget, parseTarget } from '../../../watch/notifications/targets/target.ts';
import { SEVERITIES, type Severity, type SiteSettings } from '../../../watch/site.ts';
import type { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { requireCrawler } from '../../input/options.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { inFile, readExpectations } from '../verify/expectations.ts';

/** Maximum size of a file with sites or URLs, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;

/** Settings as given. */
export interface GivenSettings {
  /** Milliseconds. */
  readonly every: number;
  readonly agent?: readonly string[];
  /** Paths of files. */
  readonly urls?: string;
  readonly tests?: string;
  readonly notify?: readonly string[];
  /** `ASPECT=SEVERITY` */
  readonly severity?: readonly string[];
}

/** Converts given settings, and stores the files that they name. @throws {CommandError} if one is invalid. */
export async function createSettings(repository: SiteRepository, given: GivenSettings): Promise<SiteSettings> {
  const { agent = [], urls, tests, notify = [], severity = [] } = given;
  for (const target of notify) await requireDeliverable(target);
  if (tests !== undefined) await checkTests(tests);
  const overrides = Object.fromEntries(severity.map(parseSeverity));
  return {
    every: given.every,
    agents: agent.map((name) => requireCrawler(name).name),
    notify,
    ...(urls !== undefined && { urls: await repository.storeText(urls, await readText(urls)) }),
    ...(tests !== undefined && { tests: await repository.storeText(tests, await readText(tests)) }),
    ...(severity.length > 0 && { severity: overrides }),
    // The operator may use private addresses.
    isOriginOpen: true,
    openTargets: notify,
  };
}

/** @throws {CommandError} if the expectations are invalid. */
async function checkTests(path: string): Promise<void> {
  try {
    checkExpectations(parse(''), await readExpectations(path));
  } catch (cause) {
    throw inFile(path, cause);
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
  const [aspect = '', name = ''] = text.split('=');
  const severity = SEVERITIES.find((each) => each === name);
  if (severity !== undefined && Object.hasOwn(SEVERITY_OF, aspect)) return [aspect, severity];
  throw new CommandError(
    `--severity must be ASPECT=SEVERITY, not ${visible(text)}; aspects: ${Object.keys(SEVERITY_OF).join(', ')}; severities: ${SEVERITIES.join(', ')}`,
  );
}

/** Reads a file. @throws {CommandError} if it cannot be read, or is too large. */
export async function readText(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readStart(createReadStream(path), MAX_BYTES + 1);
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
  if (bytes.length > MAX_BYTES)
    throw new CommandError(`cannot read ${visible(path)}: it has more than ${MAX_BYTES} bytes`);
  return Buffer.from(bytes).toString();
}
