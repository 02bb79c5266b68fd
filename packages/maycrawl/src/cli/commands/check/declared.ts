// What a robots.txt declares about the use of a URL's content, beside the verdict.
import { type PurposePreference, readPreferences } from '@maycrawl/core/preferences';
import type { JudgedUrl } from '../../../batch/judge.ts';
import { type JsonPreference, toJsonPreference } from '../../../batch/preference.ts';
import { describeStatement } from '../../../preferences/describe-statement.ts';

/** Returns the purposes that are allowed or disallowed. Empty if the crawler may not fetch the URL: then preferences do not apply. */
function listDeclared({
  url,
  crawler: { crawler },
  source: { policy },
  verdict,
}: JudgedUrl): [purpose: string, preference: PurposePreference][] {
  if (policy.kind !== 'rules' || verdict.kind !== 'allowed') return [];
  const { purposes } = readPreferences({ policy }, crawler, url);
  return Object.entries(purposes).filter(([, { value }]) => value === 'allowed' || value === 'disallowed');
}

/** Formats the declared preferences as one line, with each deciding statement once; `null` if nothing is declared. */
export function formatDeclared(result: JudgedUrl): string | null {
  const byStatement = new Map<string, string[]>();
  for (const [purpose, { value, statements }] of listDeclared(result)) {
    const [first] = statements;
    const statement = first === undefined ? '' : ` (${describeStatement(first)})`;
    byStatement.set(statement, [...(byStatement.get(statement) ?? []), `${purpose} ${value}`]);
  }
  const declared = Array.from(byStatement, ([statement, values]) => values.join(', ') + statement);
  return declared.length === 0 ? null : `Preferences: ${declared.join('; ')}`;
}

/** Returns the field `preferences` of the JSON of an result; no field if nothing is declared. */
export function createPreferencesField(result: JudgedUrl): {
  readonly preferences?: Readonly<Record<string, JsonPreference>>;
} {
  const declared = listDeclared(result).map(
    ([purpose, preference]) => [purpose, toJsonPreference(preference)] as const,
  );
  return declared.length === 0 ? {} : { preferences: Object.fromEntries(declared) };
}
