// `maycrawl watch export`: the sites and their settings as YAML.
import { isSealed } from '../../../secrets/secret-box.ts';
import { formatCount } from '../../../text/counts.ts';
import { AuditRepository } from '../../../watch/audits/audit-repository.ts';
import { DamagedAuditError, readAuditSettings } from '../../../watch/audits/audit-settings.ts';
import { parseTarget } from '../../../watch/notifications/targets/target.ts';
import { DEFAULT_CONFIRM, type Severity } from '../../../watch/site.ts';
import type { WatchDatabase } from '../../../watch/storage/database.ts';
import { formatDuration } from '../../input/duration.ts';
import { writeContent } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { formatAuditEntry } from './audits/schedule.ts';
import { withRepository } from './database.ts';
import type { DatabaseOptions } from './options.ts';
import { readAllSites } from './sites.ts';

/** Prints all sites with their settings as YAML, without secrets. @returns the exit code, 0. */
export async function exportSites(options: DatabaseOptions): Promise<number> {
  const { stringify } = await import('yaml');
  return withRepository(options, async (repository, _outbox, database) => {
    const audits = await readSchedules(database);
    const sites: object[] = [];
    const targets = new ExportedTargets();
    for await (const site of readAllSites(repository)) {
      const { every, confirm, agents, urls, tests, notify, notifyFrom, severity } =
        repository.settingsIn(site);
      sites.push({
        site: site.origin,
        every: formatDuration(every),
        ...(confirm !== undefined && confirm !== DEFAULT_CONFIRM && { confirm: formatDuration(confirm) }),
        ...(agents.length > 0 && { agents }),
        ...(urls && { urls: urls.name }),
        ...(tests && { tests: tests.name }),
        ...(notify.length > 0 && {
          notify: notify.map((target) => formatTarget(targets.replaceSecret(target), notifyFrom?.[target])),
        }),
        ...(severity && { severity }),
        ...audits.get(site.origin),
      });
    }
    const text = stringify(sites).trimEnd();
    if (targets.count > 0)
      printMessage(
        `${formatCount(targets.count, 'target')} may contain secrets: set MAYCRAWL_TARGET_1 and so on to them where you import this file`,
      );
    await writeContent(`${text}\n`);
    return 0;
  });
}

/** Reads the scheduled audits by origin, as entries of the file. @throws {DamagedSiteError} if the settings of one are damaged. */
async function readSchedules(database: WatchDatabase): Promise<Map<string, { readonly audit: object }>> {
  const rows = await new AuditRepository(database).list();
  return new Map(
    rows.map(({ origin, settings: text }) => {
      const settings = readAuditSettings(text);
      if (settings === null) throw new DamagedAuditError(origin);
      return [origin, { audit: formatAuditEntry(settings) }];
    }),
  );
}

/** Formats a target: its text, or with a threshold a mapping. */
function formatTarget(target: string, from: Severity | undefined): string | object {
  return from === undefined ? target : { target, from };
}

/** Targets without secrets: a target that may contain one becomes the name of an environment variable. */
class ExportedTargets {
  readonly #variables: Map<string, string> = new Map();

  get count(): number {
    return this.#variables.size;
  }

  replaceSecret(target: string): string {
    if (!mayContainSecret(target)) return target;
    const name = this.#variables.get(target) ?? `env:MAYCRAWL_TARGET_${this.#variables.size + 1}`;
    this.#variables.set(target, name);
    return name;
  }
}

/** A sealed target that cannot be opened was sealed as a secret. */
function mayContainSecret(target: string): boolean {
  if (isSealed(target)) return true;
  const { kind } = parseTarget(target);
  return kind === 'webhook' || kind === 'slack' || kind === 'exec';
}
