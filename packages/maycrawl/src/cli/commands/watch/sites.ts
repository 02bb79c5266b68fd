// `maycrawl watch add, remove, list`: the monitored sites.
import { getPolicyCode } from '@maycrawl/core';
import { formatTime } from '../../../reports/policy.ts';
import { formatCount } from '../../../text/counts.ts';
import { formatDuration } from '../../../text/durations.ts';
import { visible } from '../../../text/printable.ts';
import { spreadChecks } from '../../../watch/monitor.ts';
import { describeTarget } from '../../../watch/notifications/targets/target.ts';
import { DamagedSiteError, type SiteSettings } from '../../../watch/site.ts';
import type { WatchDatabase } from '../../../watch/storage/database.ts';
import { isWithoutSecret } from '../../../watch/storage/sealed-targets.ts';
import type { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { readPolicy, requireIntactSite } from '../../../watch/storage/stored-rows.ts';
import type { SiteRow } from '../../../watch/storage/tables.ts';
import { readTextFile } from '../../input/file.ts';
import { parseOrigin } from '../../input/origin.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { findOrigins, withRepository } from './database.ts';
import type { AddOptions, DatabaseOptions } from './options.ts';
import { createSettings, MAX_LIST_BYTES } from './site-settings.ts';

/** Number of rows of one query. */
const PAGE = 1_000;

/** Adds sites to the monitor, or changes their settings. @returns the exit code, 0. @throws {CommandError} if a site or a setting is invalid. */
export async function addSites(sites: readonly string[], options: AddOptions): Promise<number> {
  const listed =
    options.from === undefined ? [] : (await readTextFile(options.from, MAX_LIST_BYTES)).split(/\r?\n/);
  const names = [...sites, ...listed.map((line) => line.trim())].filter(
    (name) => name !== '' && !name.startsWith('#'),
  );
  if (names.length === 0) throw new CommandError('name the sites to watch, or a file with --from');
  const origins = [...new Set(names.map(parseOrigin))];
  return withRepository(options, async (repository, _outbox, database) => {
    const settings = await createSettings(repository, options);
    warnOfPlainTargets(settings, database);
    await repository.addSites(origins, settings, spreadChecks(origins.length, settings.every));
    printLine(`${formatCount(origins.length, 'site')} added or updated; maycrawl watch run checks them`);
    return 0;
  });
}

/** Warns of targets that contain secrets and are stored unencrypted. */
function warnOfPlainTargets({ notify }: SiteSettings, { targets }: WatchDatabase): void {
  if (notify.some((target) => !isWithoutSecret(target)) && targets.isPlain)
    printMessage(
      'the targets are stored in clear text: set MAYCRAWL_SECRET_KEY, or write env:NAME instead of a target',
    );
}

/** Removes sites and everything that is stored about them. @returns the exit code: 0, or 1 if not all of them are monitored. */
export async function removeSites(sites: readonly string[], options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (repository) => {
    const { origins, missing } = await findOrigins(repository, sites);
    const count = await repository.removeSites(origins);
    printLine(`${formatCount(count, 'site')} removed`);
    if (missing.length === 0) return 0;
    printMessage(
      `not monitored: ${formatCount(missing.length, 'site')}; maycrawl watch list prints those that are`,
    );
    return 1;
  });
}

/** Lists the monitored sites. @returns the exit code: 0, or 2 if the row of a site is damaged. */
export async function listSites(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (repository) => {
    const rows: string[][] = [];
    let exitCode = 0;
    for await (const site of readAllSites(repository)) {
      const found = findSettings(site, repository);
      if (found === undefined) {
        exitCode = 2;
        continue;
      }
      const { origin, version, checks } = site;
      const policy = readPolicy(site);
      const checkedAt = formatTime(site.checked_at);
      const setAsideAt = formatTime(site.set_aside_at);
      // Targets may be secrets, wherever they are.
      const { openTargets: _, notifyFrom = {}, ...settings } = found;
      const { every } = settings;
      if (options.json) {
        const notify = settings.notify.map((target) => ({
          target: describeTarget(target),
          from: notifyFrom[target] ?? 'info',
        }));
        const times = { checkedAt, dueAt: formatTime(site.due_at), setAsideAt };
        printJson({ origin, policy, version, checks, ...times, ...settings, notify });
      } else {
        const state = setAsideAt === null ? getPolicyCode(policy) : 'set aside';
        rows.push([visible(origin), state, String(version), checkedAt ?? '-', formatDuration(every)]);
      }
    }
    if (!options.json) {
      const { printTable } = await import('../../output/table.ts');
      printTable(['site', 'policy', 'version', 'checked', 'every'], rows);
    }
    return exitCode;
  });
}

/** Returns the settings of a site; `undefined` if its row is damaged, which is reported. */
function findSettings(site: SiteRow, repository: SiteRepository): SiteSettings | undefined {
  try {
    requireIntactSite(site);
    return repository.settingsIn(site);
  } catch (error) {
    if (!(error instanceof DamagedSiteError)) throw error;
    printMessage(visible(error.message));
    return undefined;
  }
}

export async function* readAllSites(repository: SiteRepository): AsyncGenerator<SiteRow> {
  for (let after = ''; ; ) {
    const page = await repository.sites(PAGE, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.origin;
  }
}
