// A monitored site, and its settings.

import { isStringList, parseObject } from '@maycrawl/core/internal';
import type { WatchJson } from '../api/watch-api.ts';
import { SEVERITIES } from '../reports/severities.ts';

/** How severe a change is, from the worst to the least: `error`, `warning` or `info`. */
export type Severity = WatchJson<'Severity'>;

/** A text of the settings: the name of its file, and the hash of its content. */
export interface StoredText {
  readonly name: string;
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
}

/** Milliseconds from a failure to the check that confirms it, if the settings have no other. */
export const DEFAULT_CONFIRM = 120_000;

export interface SiteSettings {
  /** Milliseconds from one check to the next. */
  readonly every: number;
  /** Milliseconds from a failure to the check that confirms it. @defaultValue {@link DEFAULT_CONFIRM} */
  readonly confirm?: number;
  /** Crawlers whose verdicts matter; all if empty. */
  readonly agents: readonly string[];
  /** URLs whose verdicts matter, one a line. */
  readonly urls?: StoredText;
  /** Expectations (docs/robots.test.schema.json). */
  readonly tests?: StoredText;
  /** Targets of notifications (docs/watch.md). */
  readonly notify: readonly string[];
  /** The least severity of events that a target receives, by target. @defaultValue `info`, for each target that is not named */
  readonly notifyFrom?: Readonly<Record<string, Severity>>;
  /** Severities that differ from the default, by aspect (aspects.ts). */
  readonly severity?: WatchJson<'Severities'>;
  /** Whether the operator named the origin on the command line. It may be on a private address then, and only then. */
  readonly isOriginOpen?: boolean;
  /** Those of `notify` that the operator set on the command line. They may be on private addresses then, and only then. */
  readonly openTargets?: readonly string[];
}

/** A row of a site in the database is damaged. */
export class DamagedSiteError extends Error {
  override readonly name: string = 'DamagedSiteError';

  /** @param column - the damaged column. */
  constructor(origin: string, column: string, advice = 'remove the site, and add it again') {
    super(`the site ${origin} is damaged in the database (${column}): ${advice}`);
  }
}

class SettingsError extends DamagedSiteError {
  override readonly name = 'SettingsError';

  /** @param part - the damaged part. */
  constructor(origin: string, part: string) {
    super(origin, `settings: ${part}`, 'set them again with watch add');
  }
}

/** Reads settings from the database. @throws {DamagedSiteError} if they are damaged. */
export function readSettings(origin: string, text: string): SiteSettings {
  const value = parseObject(text);
  if (value === undefined) throw new SettingsError(origin, 'no JSON object');
  const settings = value as unknown as SiteSettings;
  const wrong = PARTS.find(([name, isValid]) => !isValid(settings[name]));
  if (wrong !== undefined) throw new SettingsError(origin, wrong[0]);
  return settings;
}

const isOptional =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isValid(value);
const isStoredText = (value: unknown): boolean => {
  const { name, hash } = (value ?? {}) as Partial<StoredText>;
  return typeof name === 'string' && typeof hash === 'string';
};
const isSeverities = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => (SEVERITIES as readonly unknown[]).includes(each));

const PARTS: readonly (readonly [name: keyof SiteSettings, isRight: (value: unknown) => boolean])[] = [
  ['every', (value) => Number.isSafeInteger(value) && (value as number) > 0],
  ['confirm', isOptional((value) => Number.isSafeInteger(value) && (value as number) >= 0)],
  ['agents', isStringList],
  ['notify', isStringList],
  ['openTargets', isOptional(isStringList)],
  ['urls', isOptional(isStoredText)],
  ['tests', isOptional(isStoredText)],
  ['notifyFrom', isOptional(isSeverities)],
  ['severity', isOptional(isSeverities)],
  ['isOriginOpen', isOptional((value) => typeof value === 'boolean')],
];

/** Whether an event is stored and not sent: a change of formatting only, unless the owner has made it more severe. */
export function isQuiet({ kind, severity }: { readonly kind: string; readonly severity: string }): boolean {
  return kind === 'formatting' && severity === 'info';
}
