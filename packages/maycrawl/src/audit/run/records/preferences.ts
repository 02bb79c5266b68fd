// What a run stores about the use of content: what pages declare, and the preferences of a URL for a crawler that follow from it.
import {
  type PageSources,
  type PreferenceFormat,
  type PreferenceReport,
  type PreferenceStatement,
  type PreferenceValue,
  type PurposePreference,
  READINGS,
  type StatementSource,
} from '@maycrawl/core/preferences';
import { describeStatement } from '../../../preferences/describe-statement.ts';

/** Characters of what one page declares. A hostile page has megabytes. */
const MAX_DECLARED = 65_536;
/** Statements of a purpose beside the deciding one, licences and conflicts that are stored. */
const [MAX_OTHERS, MAX_LICENSES, MAX_CONFLICTS] = [3, 5, 3] as const;

/** The preference about one purpose. */
interface StoredPurpose {
  readonly value: Exclude<PreferenceValue, 'not-applicable'>;
  /** Of the deciding statement; `null` if no statement decides. */
  readonly format: PreferenceFormat | null;
  readonly source: StatementSource | null;
  /** Where the deciding statement is and what it says, or the first one if none decides; `null` if none counts. */
  readonly statement: string | null;
  /** The same of other statements, also those that count under other readings only. */
  readonly others: readonly string[];
  /** The values under other readings, where they differ. */
  readonly readings: Readonly<Record<string, PreferenceValue>>;
}

/** The preferences of a URL for a crawler that may fetch it. */
export interface StoredPreferences {
  /** By purpose, only those about which something is declared. */
  readonly purposes: Readonly<Record<string, StoredPurpose>>;
  /** URLs of RSL licences. */
  readonly licenses: readonly string[];
  /** Sentences without a full stop. */
  readonly conflicts: readonly string[];
}

/**
 * Writes what a page declares as text.
 *
 * @returns the text, and whether statements beyond the limit of characters were omitted.
 */
export function packDeclarations(sources: PageSources): { readonly text: string; readonly isCut: boolean } {
  let chars = 0;
  let isCut = false;
  const { isTruncated = false, ...all } = sources;
  const lists = Object.entries(all).map(([name, items]: [string, readonly unknown[]]) => {
    const kept: unknown[] = [];
    for (const item of items) {
      const length = JSON.stringify(item).length + 1;
      if (chars + length > MAX_DECLARED) {
        isCut = true;
        continue;
      }
      chars += length;
      kept.push(item);
    }
    return [name, kept] as const;
  });
  const stored = { ...Object.fromEntries(lists), ...((isCut || isTruncated) && { isTruncated: true }) };
  return { text: JSON.stringify(stored), isCut };
}

/** Reads what a page declares. */
export function unpackDeclarations(text: string): PageSources {
  return JSON.parse(text) as PageSources;
}

/** Selects what a run stores of a report; `null` if nothing is declared. */
export function toStoredPreferences({
  purposes,
  licenses,
  conflicts,
}: PreferenceReport): StoredPreferences | null {
  const declared = Object.entries(purposes).flatMap(([purpose, preference]) => {
    const stored = toStoredPurpose(preference);
    return stored === null ? [] : [[purpose, stored] as const];
  });
  if (declared.length === 0 && licenses.length === 0) return null;
  return {
    purposes: Object.fromEntries(declared),
    licenses: licenses.slice(0, MAX_LICENSES).map(({ url }) => url),
    conflicts: findDisagreements(conflicts)
      .slice(0, MAX_CONFLICTS)
      .map(({ message }) => message),
  };
}

/**
 * Selects contradictions between statements. A group of a policy token that does not disallow a URL is no contradiction to a refusal
 * elsewhere: only a rule that allows the URL is.
 */
export function findDisagreements(conflicts: PreferenceReport['conflicts']): PreferenceReport['conflicts'] {
  return conflicts.filter(
    ({ code, statements }) =>
      (code === 'formats-disagree' || code === 'sources-disagree') && !statements.some(isImplicit),
  );
}

function isImplicit({ format, value, path }: PreferenceStatement): boolean {
  return format === 'policy-token' && value === 'allowed' && path === null;
}

function toStoredPurpose({ value, format, readings, statements }: PurposePreference): StoredPurpose | null {
  const [first, ...others] = statements;
  if (first === undefined || value === 'not-applicable') return null;
  const isCounted = first.countsUnder.includes(READINGS[0].name);
  return {
    ...{ value, format, source: format === null ? null : first.source },
    statement: isCounted ? describeStatement(first) : null,
    others: [...new Set((isCounted ? others : statements).map(describeStatement))].slice(0, MAX_OTHERS),
    readings: Object.fromEntries(Object.entries(readings).filter(([, other]) => other !== value)),
  };
}
