// Settings: what an owner wants to declare, and how the formats state it.
import { quoteValue } from '../../bytes/check-options.ts';
import { type DeclarationFormat, type ParsedDeclaration, PREFERENCE_SYNTAX } from '../declaration.ts';
import { LABELS, MAIN_PURPOSES } from '../labels.ts';
import { READINGS, selectClosest } from '../readings.ts';
import type { Claim } from '../statement.ts';

/** A purpose that an owner can allow or refuse. */
export type SettingPurpose = (typeof MAIN_PURPOSES)[number];

/** What an owner wants. */
export type SettingValue = 'allowed' | 'disallowed';

/** The settings by purpose. A purpose that is missing stays as it is. */
export type PreferenceSettings = Readonly<Partial<Record<SettingPurpose, SettingValue>>>;

export interface PreferenceSetting {
  readonly purpose: SettingPurpose;
  readonly value: SettingValue;
}

/** A setting in the words of a format. */
export interface LabelledSetting extends PreferenceSetting {
  /** The label for the purpose in the current version of the format. */
  readonly label: string;
  /** The value as the format writes it. */
  readonly token: string;
}

/** The formats of lines, in the order in which they are written. */
export const LINE_FORMATS: readonly DeclarationFormat[] = ['content-usage', 'content-signal'];

const VALUES: readonly unknown[] = ['allowed', 'disallowed'];

/**
 * Checks the settings of a caller.
 *
 * @throws {TypeError | RangeError} if they are not an object, empty, or contain an unknown purpose or value.
 */
export function requireSettings(settings: PreferenceSettings): PreferenceSetting[] {
  if (typeof settings !== 'object' || settings === null)
    throw new TypeError(`settings must be an object, not ${quoteValue(settings)}`);
  let isEmpty = true;
  // `for` includes inherited settings, as access to a property does.
  for (const purpose in settings) {
    const value: unknown = settings[purpose as SettingPurpose];
    if (value === undefined) continue;
    isEmpty = false;
    if (!(MAIN_PURPOSES as readonly string[]).includes(purpose))
      throw new RangeError(`unknown purpose ${quoteValue(purpose)}: use ${MAIN_PURPOSES.join(', ')}`);
    if (!VALUES.includes(value))
      throw new RangeError(
        `the setting for ${purpose} must be allowed or disallowed, not ${quoteValue(value)}`,
      );
  }
  if (isEmpty) throw new RangeError('the settings are empty');
  return MAIN_PURPOSES.flatMap((purpose) => {
    const value = settings[purpose];
    return value === undefined ? [] : [{ purpose, value }];
  });
}

/** Returns the settings that a format has labels for, in the order of the labels. */
export function labelSettings(
  format: DeclarationFormat,
  settings: readonly PreferenceSetting[],
): LabelledSetting[] {
  return LABELS.filter((label) => label.format === format && label.isCurrent).flatMap(({ label, purpose }) =>
    settings
      .filter((setting) => setting.purpose === purpose)
      .map((setting) => ({ ...setting, label, token: PREFERENCE_SYNTAX[format][setting.value] })),
  );
}

/** Formats settings as a declaration for all paths, or for one. */
export function formatStatement(
  format: DeclarationFormat,
  settings: readonly LabelledSetting[],
  path: string | null = null,
): string {
  const members = settings.map(({ label, token }) => `${label}=${token}`).join(', ');
  return `${PREFERENCE_SYNTAX[format].field}: ${path === null ? '' : `${path} `}${members}`;
}

const LABEL_READINGS = READINGS.filter(({ name }) => name === 'grouped' || name === 'current-labels');

/**
 * What a declaration says about a setting: `states` if it says so with labels of old and of current versions alike, `contradicts` if it
 * says the opposite with one of them.
 */
export function compareWithSetting(
  declaration: ParsedDeclaration & { readonly claims: readonly Claim[] },
  { purpose, value }: PreferenceSetting,
): 'states' | 'contradicts' | 'silent' {
  const values = LABEL_READINGS.map((reading) =>
    selectClosest(declaration, purpose, reading)
      .map(({ statement }) => statement.value)
      .filter((each) => each !== 'unknown'),
  );
  if (values.flat().some((each) => each !== value)) return 'contradicts';
  return values.every((each) => each.length > 0) ? 'states' : 'silent';
}
