// Settings for `setPreferences`, from the purposes that a person or a program refuses and allows.
import type { PreferenceSettings, SettingPurpose, SettingValue } from '@maycrawl/core/preferences';

/**
 * Creates settings.
 *
 * @param names - of the two lists, in messages.
 * @throws {RangeError} if both lists are empty, or both have one purpose.
 */
export function createSettings(
  {
    refuse = [],
    allow = [],
  }: { readonly refuse?: readonly SettingPurpose[]; readonly allow?: readonly SettingPurpose[] },
  [refusing, allowing]: readonly [string, string],
): PreferenceSettings {
  const both = refuse.find((purpose) => allow.includes(purpose));
  if (both !== undefined)
    throw new RangeError(`${refusing} ${both} and ${allowing} ${both} exclude each other`);
  if (refuse.length + allow.length === 0)
    throw new RangeError(`give ${refusing} or ${allowing} with a purpose: search, ai-train or ai-input`);
  const pair =
    (value: SettingValue) =>
    (purpose: SettingPurpose): [SettingPurpose, SettingValue] => [purpose, value];
  return Object.fromEntries([...refuse.map(pair('disallowed')), ...allow.map(pair('allowed'))]);
}
