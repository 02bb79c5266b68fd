/**
 * `maycrawl watch add, remove, list, import, export`: which sites are watched, and how.
 *
 * @module
 */

import { createReadStream } from 'node:fs';
import { readStart } from '@maycrawl/client/streams';
import { getPolicyCode, parse as parseRobots } from '@maycrawl/core';
import { checkExpectations } from '../../../expectations/expectations.ts';
import { readYaml } from '../../../expectations/read-yaml.ts';
import { formatTime } from '../../../reports/policy.ts';
import { isSealed } from '../../../secrets/secret-box.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { SEVERITY_OF } from '../../../watch/analysis/aspects.ts';
import { spreadChecks } from '../../../watch/monitor.ts';
import { findObstacle } from '../../../watch/notifications/targets/obstacle.ts';
import { describeTarget, parseTarget } from '../../../watch/notifications/targets/target.ts';
import type { Severity, SiteSettings } from '../../../watch/site.ts';
import { DamagedSiteError, SEVERITIES } from '../../../watch/site.ts';
import type { WatchDatabase } from '../../../watch/storage/database.ts';
import { isWithoutSecret } from '../../../watch/storage/sealed-targets.ts';
import type { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { readPolicy, requireIntactSite } from '../../../watch/storage/stored-rows.ts';
import type { SiteRow } from '../../../watch/storage/tables.ts';
import { formatDuration } from '../../input/duration.ts';
import { requireCrawler } from '../../input/options.ts';
import { parseOrigin } from '../../input/origin.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { inFile, readExpectations } from '../verify/expectations.ts';
import { type DatabaseOptions, withRepository } from './database.ts';
import { EVERY } from './every.ts';

export interface AddOptions extends Pick<DatabaseOptions, 'database'> {
  /** Milliseconds. */
  readonly every: number;
  readonly agent?: readonly string[];
  readonly urls?: string;
  readonly tests?: string;
  readonly notify?: readonly string[];
  readonly severity?: readonly string[];
  readonly from?: string;
}

/** No list of sites or URLs is longer: bytes. */
const MAX_BYTES = 64 * 2 ** 20;
/** Rows that are read at a time. */
const PAGE = 1_000;

/** Watches sites. @returns the exit code, 0. @throws {CommandError} for what makes no sense. */
export async function addSites(sites: readonly string[], options: AddOptions): Promise<number> {
  const listed = options.from === undefined ? [] : (await readText(options.from)).split(/\r?\n/);
  const names = [...sites, ...listed.map((line) => line.trim())].filter(
    (name) => name !== '' && !name.startsWith('#'),
  );
  if (names.length === 0) throw new CommandError('name the sites to watch, or a file with --from');
  const origins = [...new Set(names.map(parseOrigin))];
  return withRepository(options, async (repository, _outbox, database) => {
    const settings = await createSettings(repository, options);
    warnOfPlainTargets(settings, database);
    await repository.addSites(origins, settings, spreadChecks(origins.length, settings.every));
    printLine(
      `${origins.length} ${origins.length === 1 ? 'site is' : 'sites are'} watched; maycrawl watch run checks them`,
    );
    return 0;
  });
}

/** Warns of targets that are secrets and are stored as they are. */
function warnOfPlainTargets({ notify }: SiteSettings, { targets }: WatchDatabase): void {
  if (notify.some((target) => !isWithoutSecret(target)) && targets.isPlain)
    printMessage(
      'the targets are stored in clear text: set MAYCRAWL_SECRET_KEY, or write env:NAME in place of a target',
    );
}

/** Watches sites no longer, and forgets what was seen of them. @returns the exit code. */
export async function removeSites(sites: readonly string[], options: DatabaseOptions): Promise<number> {
  const origins = sites.map(parseOrigin);
  return withRepository(options, async (repository) => {
    const count = await repository.removeSites(origins);
    printLine(`${formatCount(count, 'site')} forgotten`);
    return count === origins.length ? 0 : 1;
  });
}

/** Checks sites at the next opportunity. @returns the exit code: 0, or 1 if not all of them are watched. */
export async function recheckSites(sites: readonly string[], options: DatabaseOptions): Promise<number> {
  const origins = [...new Set(sites.map(parseOrigin))];
  return withRepository(options, async (repository) => {
    const count = await repository.recheckSites(origins, Date.now());
    printLine(`${count} ${count === 1 ? 'site is' : 'sites are'} due; maycrawl watch run checks them`);
    return count === origins.length ? 0 : 1;
  });
}

/** Lists the monitored sites. @returns the exit code: 0, or 2 if the row of a site is damaged. */
export async function listSites(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (repository) => {
    const rows: string[][] = [];
    let exitCode = 0;
    for await (const site of allSites(repository)) {
      if (isDamaged(site)) {
        exitCode = 2;
        continue;
      }
      // Targets may be secrets, wherever they are.
      const { openTargets: _openTargets, ...settings } = repository.settingsIn(site);
      const { every, notify } = settings;
      const last = formatTime(site.checked_at);
      if (options.json) {
        const told = { ...settings, notify: notify.map(describeTarget) };
        const { origin, version, checks } = site;
        const policy = readPolicy(site);
        const setAsideAt = formatTime(site.set_aside_at);
        printJson({
          origin,
          policy,
          version,
          checks,
          checkedAt: last,
          dueAt: formatTime(site.due_at),
          setAsideAt,
          ...told,
        });
      } else
        rows.push([
          visible(site.origin),
          site.set_aside_at === null ? getPolicyCode(readPolicy(site)) : 'set aside',
          String(site.version),
          last ?? '-',
          formatDuration(every),
        ]);
    }
    if (!options.json) {
      const { printTable } = await import('../../output/table.ts');
      printTable(['site', 'policy', 'version', 'checked', 'every'], rows);
    }
    return exitCode;
  });
}

/** Whether the row of a site is damaged, which is reported in one line. */
function isDamaged(site: SiteRow): boolean {
  try {
    requireIntactSite(site);
    return false;
  } catch (error) {
    if (!(error instanceof DamagedSiteError)) throw error;
    printMessage(visible(error.message));
    return true;
  }
}

/** Writes all sites with their settings as YAML, so that a repository can hold them. Secrets are not in it. @returns 0. */
export async function exportSites(options: DatabaseOptions): Promise<number> {
  const { stringify } = await import('yaml');
  return withRepository(options, async (repository) => {
    const sites: object[] = [];
    const targets = new ExportedTargets();
    for await (const site of allSites(repository)) {
      const { every, agents, urls, tests, notify, severity } = repository.settingsIn(site);
      sites.push({
        site: site.origin,
        every: formatDuration(every),
        ...(agents.length > 0 && { agents }),
        ...(urls && { urls: urls.name }),
        ...(tests && { tests: tests.name }),
        ...(notify.length > 0 && { notify: notify.map((target) => targets.getName(target)) }),
        ...(severity && { severity }),
      });
    }
    const text = `${stringify(sites).trimEnd()}\n`;
    if (targets.count > 0)
      printMessage(
        `${targets.count} targets may hold secrets: set MAYCRAWL_TARGET_1 and so on to them where this is imported`,
      );
    process.stdout.write(text);
    return 0;
  });
}

/** Targets as they may be exported: one that could hold a secret is the name of a variable, which whoever imports it sets. */
class ExportedTargets {
  readonly #names: Map<string, string> = new Map();

  /** How many variables there are. */
  get count(): number {
    return this.#names.size;
  }

  getName(target: string): string {
    if (!mayHaveSecret(target)) return target;
    const name = this.#names.get(target) ?? `env:MAYCRAWL_TARGET_${this.#names.size + 1}`;
    this.#names.set(target, name);
    return name;
  }
}

/** Whether a target may not be exported as it is. One that cannot be opened was sealed as a secret. */
function mayHaveSecret(target: string): boolean {
  if (isSealed(target)) return true;
  const { kind } = parseTarget(target);
  return kind === 'webhook' || kind === 'slack' || kind === 'exec';
}

/** Watches the sites of a YAML file. @returns the exit code, 0. @throws {CommandError} for what makes no sense. */
export async function importSites(path: string, options: DatabaseOptions): Promise<number> {
  const entries = await readYaml(
    await readText(path),
    'site',
    (what, cause) => new CommandError(`${visible(path)}: ${visible(what)}`, { cause }),
  );
  if (!Array.isArray(entries)) throw new CommandError(`${visible(path)}: it must be a list of sites`);
  const read = entries.map((entry: unknown, index) =>
    readEntry(entry, `${visible(path)}, site ${index + 1}`),
  );
  const places = new Map<string, string>();
  for (const { origin, place } of read) {
    const other = places.get(origin);
    if (other !== undefined) throw new CommandError(`${place} is ${other} again: ${visible(origin)}`);
    places.set(origin, place);
  }
  return withRepository(options, async (repository) => {
    const groups = new Map<string, { settings: SiteSettings; origins: string[] }>();
    for (const { origin, place, ...given } of read) {
      const settings = await createSettings(repository, given).catch((cause: unknown) => {
        if (!(cause instanceof CommandError)) throw cause;
        throw new CommandError(`${place}: ${cause.message}`, { cause });
      });
      const key = JSON.stringify(settings);
      const group = groups.get(key) ?? { settings, origins: [] };
      group.origins.push(origin);
      groups.set(key, group);
    }
    for (const { settings, origins } of groups.values())
      await repository.addSites(origins, settings, spreadChecks(origins.length, settings.every));
    printLine(`${read.length} sites are watched`);
    return 0;
  });
}

type Given = Pick<AddOptions, 'every' | 'agent' | 'urls' | 'tests' | 'notify' | 'severity'>;

interface ReadEntry extends Given {
  readonly origin: string;
  /** Where it stands, for messages. */
  readonly place: string;
}

function readEntry(entry: unknown, place: string): ReadEntry {
  if (typeof entry !== 'object' || entry === null) throw new CommandError(`${place} is no mapping`);
  const {
    site,
    every = '1h',
    agents = [],
    urls,
    tests,
    notify = [],
    severity = {},
    ...others
  } = entry as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new CommandError(`${place} has "${visible(other)}", which means nothing`);
  const isList = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string');
  const isName = (value: unknown): value is string | undefined =>
    value === undefined || typeof value === 'string';
  if (typeof site !== 'string') throw new CommandError(`${place} needs "site"`);
  if (typeof every !== 'string' || !isName(urls) || !isName(tests))
    throw new CommandError(`${place}: "every", "urls" and "tests" are texts`);
  if (!isList(agents) || !isList(notify))
    throw new CommandError(`${place}: "agents" and "notify" are lists of texts`);
  if (typeof severity !== 'object' || severity === null)
    throw new CommandError(`${place}: "severity" is a mapping`);
  return {
    origin: parseOriginAt(site, place),
    place,
    every: EVERY.read([every], `${place}: "every"`),
    agent: agents,
    notify,
    ...(urls !== undefined && { urls }),
    ...(tests !== undefined && { tests }),
    severity: Object.entries(severity).map(([aspect, name]) => `${aspect}=${String(name)}`),
  };
}

/** @throws {CommandError} if it is no site. */
function parseOriginAt(site: string, place: string): string {
  try {
    return parseOrigin(site);
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    throw new CommandError(`${place}: ${cause.message}`, { cause });
  }
}

/** Settings as they were given. @throws {CommandError} for what makes no sense. */
async function createSettings(repository: SiteRepository, given: Given): Promise<SiteSettings> {
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
    // What the operator writes may be on private addresses.
    isOriginOpen: true,
    openTargets: notify,
  };
}

/** @throws {CommandError} if expectations cannot be checked. */
async function checkTests(path: string): Promise<void> {
  const nothing = parseRobots('');
  try {
    checkExpectations(nothing, await readExpectations(path));
  } catch (cause) {
    throw inFile(path, cause);
  }
}

/** @throws {CommandError} if it is no target, or nothing can be delivered to it from this machine. */
async function requireDeliverable(target: string): Promise<void> {
  checkTarget(target);
  const obstacle = await findObstacle(parseTarget(target), process.env);
  if (obstacle !== undefined)
    throw new CommandError(`nothing can be delivered to ${describeTarget(target)}: ${visible(obstacle)}`);
}

/** @throws {CommandError} if it is no target. */
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
    `--severity is ASPECT=SEVERITY, with one of ${Object.keys(SEVERITY_OF).join(', ')} and one of ${SEVERITIES.join(', ')}, not ${visible(text)}`,
  );
}

async function* allSites(repository: SiteRepository): AsyncGenerator<SiteRow> {
  for (let after = ''; ; ) {
    const page = await repository.sites(PAGE, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.origin;
  }
}

/** @throws {CommandError} if it cannot be read, or has too much. */
async function readText(path: string): Promise<string> {
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
