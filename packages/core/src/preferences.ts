/**
 * `@maycrawl/core/preferences`: may the content be used, for search or to train AI? What a site declares about it in robots.txt, headers,
 * pages, tdmrep.json and RSL documents. Preferences never change whether a crawler may fetch a URL.
 *
 * Experimental: the drafts of the formats change every few weeks, and this entry follows them also between major versions.
 *
 * @module
 */

export type { Announcement, PolicyToken } from './crawler/policy-token.ts';
export type { DeclarationChange, LicenseChange } from './preferences/comparison/changes.ts';
export {
  compareDeclarations,
  type DeclarationComparison,
  type DeclarationOptions,
} from './preferences/comparison/compare-declarations.ts';
export type { DeclaredPreference } from './preferences/comparison/find-changes.ts';
export type { DeclarationLine, Wording } from './preferences/comparison/wording.ts';
export type { ConflictCode, PreferenceConflict } from './preferences/conflicts.ts';
export {
  type DeclarationFormat,
  type DeclarationSyntax,
  PREFERENCE_SYNTAX,
} from './preferences/declaration.ts';
export {
  parseRsl,
  type RslContent,
  type RslFile,
  type RslLicense,
  type RslProblem,
} from './preferences/documents/parse-rsl.ts';
export { parseTdmRep, type TdmRule } from './preferences/documents/tdmrep.ts';
export { LABELS, type Label, MAIN_PURPOSES } from './preferences/labels.ts';
export {
  type DeclarationList,
  type ListedDeclaration,
  type ListOptions,
  listDeclarations,
} from './preferences/list-declarations.ts';
export { findPageProblems, type PageProblem } from './preferences/page/page-problems.ts';
export { isPreferenceMeta } from './preferences/page/page-statements.ts';
export { selectPageSources } from './preferences/page/select-page-sources.ts';
export { POLICY_TOKENS } from './preferences/policy-token-data.ts';
export { createPolicyToken, isGoverned } from './preferences/policy-tokens.ts';
export {
  type CountedStatement,
  type PreferenceOptions,
  PreferenceReader,
  type PreferenceReport,
  type PurposePreference,
  readPreferences,
} from './preferences/read-preferences.ts';
export { READINGS, type Reading } from './preferences/readings.ts';
export {
  describePromises,
  findRefusalPromises,
  listPromises,
  type PreferencePromise,
  type RefusalPromises,
} from './preferences/refusals/promises.ts';
export {
  describeRefusalReach,
  findRefusalReach,
  type Refusal,
  type RefusalReach,
} from './preferences/refusals/refusal-reach.ts';
export { DECLARING_FIELDS } from './preferences/robots-txt/declared-lines.ts';
export type { LicenseReference } from './preferences/selected-statements.ts';
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
export type { PreferenceSettings, SettingPurpose, SettingValue } from './preferences/set/setting.ts';
export type { SourceProblem } from './preferences/source-problem.ts';
export type { PageSources, PreferenceSources, RslDocument, SiteSources } from './preferences/sources.ts';
export {
  PAGE_SOURCES,
  type PreferenceFormat,
  type PreferenceStatement,
  type PreferenceValue,
  type StatementSource,
} from './preferences/statement.ts';
