// The targets of sites in the database: sealed, because the address of a webhook is enough to post to it. A backup of the database does
// not disclose them without the key.
//
// The key is the variable `MAYCRAWL_SECRET_KEY`, or for a SQLite file the key file beside it. A PostgreSQL database without the
// variable has its targets in clear text.
import { type SqlConnection, sql } from '@maycrawl/client/internal';
import { isSealed, SEALED_PREFIX, SecretBox } from '../../secrets/secret-box.ts';
import { SecretError } from '../../secrets/secret-error.ts';
import { hasKeyFile, openKeyFile, readKeyVariable } from '../../secrets/secret-key.ts';
import { readSettings, type SiteSettings } from '../site.ts';
import type { SiteRow } from './tables.ts';

const CONTEXT = 'watch-target';

export function isWithoutSecret(target: string): boolean {
  return target === 'log' || target.startsWith('env:');
}

export class SealedTargets {
  readonly #findKey: () => Buffer | undefined;
  #box: SecretBox | undefined;

  /** @param findKey - called when a target is first sealed or opened; `undefined` if there is no key. */
  constructor(findKey: () => Buffer | undefined) {
    this.#findKey = findKey;
  }

  /** Whether targets are written in clear text, because there is no key. @throws {SecretError} if the key cannot be used. */
  get isPlain(): boolean {
    return this.#getBox() === undefined;
  }

  /**
   * Seals a target.
   *
   * @returns the same text each time; the target itself if it contains no secret, or there is no key.
   * @throws {SecretError} if the key cannot be used.
   */
  seal(target: string): string {
    if (isWithoutSecret(target) || isSealed(target)) return target;
    return this.#getBox()?.seal(target, CONTEXT) ?? target;
  }

  /**
   * Opens a target, sealed or not.
   *
   * @throws {SecretError} if it was sealed with another key.
   */
  open(target: string): string {
    if (!isSealed(target)) return target;
    const box = this.#getBox();
    if (box !== undefined) return box.open(target, CONTEXT);
    throw new SecretError('key-unavailable', 'the target is sealed: set MAYCRAWL_SECRET_KEY to its key');
  }

  /** Formats settings for the database. @throws {SecretError} as {@link seal} does. */
  formatSettings(settings: SiteSettings): string {
    return JSON.stringify(mapTargets(settings, (target) => this.seal(target)));
  }

  /**
   * Parses settings of a row. A target that cannot be opened stays sealed; its site is checked.
   *
   * @throws {DamagedSiteError} if they are damaged.
   */
  parseSettings({ origin, settings }: Pick<SiteRow, 'origin' | 'settings'>): SiteSettings {
    return mapTargets(readSettings(origin, settings), (target) => this.openIfPossible(target));
  }

  /** The same as {@link open}, but a target that cannot be opened stays sealed. */
  openIfPossible(target: string): string {
    try {
      return this.open(target);
    } catch (error) {
      if (error instanceof SecretError) return target;
      throw error;
    }
  }

  /** Returns why a target cannot be opened; `undefined` if it can be, or is not sealed. */
  findObstacle(target: string): string | undefined {
    try {
      this.open(target);
      return undefined;
    } catch (error) {
      if (error instanceof SecretError) return error.message;
      throw error;
    }
  }

  #getBox(): SecretBox | undefined {
    if (this.#box === undefined) {
      const key = this.#findKey();
      if (key !== undefined) this.#box = new SecretBox(key);
    }
    return this.#box;
  }
}

/**
 * Finds the key of a database when it is needed.
 *
 * @param path - of a SQLite file, whose key file is created if it does not exist; `undefined` for a PostgreSQL database.
 * @param isKeyLost - whether the key file is missing although targets are sealed ({@link isKeyFileLost}). No new key is created then,
 *   because it could not open them: sealing and opening targets are errors.
 */
export function createSealedTargets(
  path: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  isKeyLost: boolean = false,
): SealedTargets {
  return new SealedTargets(() => {
    const key = readKeyVariable(environment);
    if (key !== undefined || path === undefined) return key;
    if (isKeyLost && !hasKeyFile(path))
      throw new SecretError(
        'key-unavailable',
        `the targets in ${path} are sealed, and the key file ${path}.key is missing: restore it, or create a new key there ("openssl rand -base64 32", mode 0600) and set the targets again`,
      );
    return openKeyFile(path);
  });
}

/** Whether a SQLite file has sealed targets, and no key file. */
export async function isKeyFileLost(path: string, db: SqlConnection): Promise<boolean> {
  if (hasKeyFile(path)) return false;
  const pattern = `%"${SEALED_PREFIX}%`;
  return (
    (await db.get(sql`SELECT origin FROM watch_sites WHERE settings LIKE ${pattern} LIMIT 1`)) !== undefined
  );
}

function mapTargets(settings: SiteSettings, change: (target: string) => string): SiteSettings {
  const { notify, notifyFrom, openTargets } = settings;
  return {
    ...settings,
    notify: notify.map(change),
    ...(notifyFrom && {
      notifyFrom: Object.fromEntries(
        Object.entries(notifyFrom).map(([target, severity]) => [change(target), severity]),
      ),
    }),
    ...(openTargets && { openTargets: openTargets.map(change) }),
  };
}
