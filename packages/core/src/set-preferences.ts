/**
 * `@maycrawl/core/preferences/set`: writes preferences into a robots.txt, with a proof that no crawl verdict changes.
 *
 * Experimental: the drafts of the formats change every few weeks, and this entry follows them also between major versions.
 *
 * @module
 */

export type { EditReason, PreferenceEdit } from './preferences/set/edit.ts';
export type { LimitCode, PreferenceLimit } from './preferences/set/limits.ts';
export {
  DEFAULT_FORMATS,
  type PreferencesRefused,
  type PreferencesSet,
  type RefusalCode,
  type SetPreferencesOptions,
  type SetPreferencesResult,
  setPreferences,
  WRITABLE_FORMATS,
  type WritableFormat,
} from './preferences/set/set-preferences.ts';
export type { Wishes, WishPurpose, WishValue } from './preferences/set/wish.ts';
