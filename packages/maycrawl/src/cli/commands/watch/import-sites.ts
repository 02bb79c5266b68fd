// `maycrawl watch import`: monitors the sites of a YAML file.
import { readYaml } from '../../../expectations/read-yaml.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { AuditRepository } from '../../../watch/audits/audit-repository.ts';
import type { AuditSettings } from '../../../watch/audits/audit-settings.ts';
import { getNextAudit } from '../../../watch/audits/schedule.ts';
import { spreadChecks } from '../../../watch/monitor.ts';
import type { SiteSettings } from '../../../watch/site.ts';
import { readTextFile } from '../../input/file.ts';
import { parseOrigin } from '../../input/origin.ts';
import { parseOption } from '../../options/option.ts';
import { CommandError } from '../../output/errors.ts';
import { printLine } from '../../output/standard-output.ts';
import { readAuditEntry } from './audits/schedule.ts';
import { withRepository } from './database.ts';
import { CONFIRM, EVERY } from './intervals.ts';
import type { DatabaseOptions, GivenSettings } from './options.ts';
import { createSettings, MAX_LIST_BYTES } from './site-settings.ts';

/**
 * Adds the sites of a YAML file to the monitor, or changes their settings.
 *
 * @returns the exit code, 0.
 * @throws {CommandError} if the file cannot be read, or a site or a setting is invalid.
 */
export async function importSites(path: string, options: DatabaseOptions): Promise<number> {
  const entries = await readYaml(
    await readTextFile(path, MAX_LIST_BYTES),
    'site',
    (what, cause) => new CommandError(`${visible(path)}: ${visible(what)}`, { cause }),
  );
  if (!Array.isArray(entries)) throw new CommandError(`${visible(path)}: it must be a list of sites`);
  const sites: ImportedSite[] = [];
  const places = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const place = `${visible(path)}, site ${index + 1}`;
    const site = await addPlace(place, () => readSite(entry));
    const other = places.get(site.origin);
    if (other !== undefined) throw new CommandError(`${place} repeats ${other}: ${visible(site.origin)}`);
    places.set(site.origin, place);
    sites.push(site);
  }
  return withRepository(options, async (repository, _outbox, database) => {
    const groups = new Map<string, { settings: SiteSettings; origins: string[] }>();
    for (const { origin, given } of sites) {
      const settings = await addPlace(places.get(origin) as string, () => createSettings(repository, given));
      const key = JSON.stringify(settings);
      const group = groups.get(key) ?? { settings, origins: [] };
      group.origins.push(origin);
      groups.set(key, group);
    }
    for (const { settings, origins } of groups.values())
      await repository.addSites(origins, settings, spreadChecks(origins.length, settings.every));
    const audits = new AuditRepository(database);
    const now = Date.now();
    for (const { origin, audit } of sites)
      if (audit !== null) await audits.schedule([origin], () => audit, getNextAudit(audit, null, now));
    printLine(`${formatCount(sites.length, 'site')} added or updated`);
    return 0;
  });
}

/** Adds the place of an entry to the message of an error. */
async function addPlace<T>(place: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    throw new CommandError(`${place}: ${cause.message}`, { cause });
  }
}

interface ImportedSite {
  readonly origin: string;
  readonly given: GivenSettings;
  /** `null`: no scheduled audits. */
  readonly audit: AuditSettings | null;
}

/** Reads an entry. @throws {CommandError} if it is invalid. */
function readSite(entry: unknown): ImportedSite {
  if (typeof entry !== 'object' || entry === null) throw new CommandError('it must be a mapping');
  const {
    site,
    every = '1h',
    confirm = '2m',
    agents = [],
    urls,
    tests,
    notify = [],
    severity = {},
    audit,
    ...others
  } = entry as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new CommandError(`unknown key "${visible(other)}"`);
  if (typeof site !== 'string') throw new CommandError('"site" is missing, or not a string');
  if (typeof every !== 'string' || typeof confirm !== 'string' || !isName(urls) || !isName(tests))
    throw new CommandError('"every", "confirm", "urls" and "tests" must be strings');
  if (!isList(agents)) throw new CommandError('"agents" must be a list of strings');
  const targets = readTargets(notify);
  if (typeof severity !== 'object' || severity === null)
    throw new CommandError('"severity" must be a mapping');
  const given = {
    every: parseOption(EVERY, [every], '"every"'),
    confirm: parseOption(CONFIRM, [confirm], '"confirm"'),
    agent: agents,
    ...targets,
    ...(urls !== undefined && { urls }),
    ...(tests !== undefined && { tests }),
    severity: Object.entries(severity).map(([aspect, name]) => `${aspect}=${String(name)}`),
  };
  const origin = parseOrigin(site);
  return { origin, given, audit: audit === undefined ? null : readAuditEntry(audit, origin) };
}

/** Reads targets: each is a text, or a mapping of `target` and `from`. @throws {CommandError} for anything else. */
function readTargets(value: unknown): Required<Pick<GivenSettings, 'notify' | 'notifyFrom'>> {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const targets = entries.map((entry) => {
    const { target, from, ...others } = (
      typeof entry === 'string' ? { target: entry, from: 'info' } : (entry ?? {})
    ) as Record<string, unknown>;
    if (typeof target !== 'string' || typeof from !== 'string' || Object.keys(others).length > 0)
      throw new CommandError('"notify" must be a list of targets, or of mappings with "target" and "from"');
    return { target, from };
  });
  return {
    notify: targets.map(({ target }) => target),
    notifyFrom: targets.map(({ target, from }) => `${target}=${from}`),
  };
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isName(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
