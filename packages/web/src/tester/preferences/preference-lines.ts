// The lines of the editor that the explanation of a preference marks.
import type { DecidingLines } from '../editor/deciding-lines.ts';
import type { PreferenceDetails } from '../judging/preferences.ts';
import type { Purpose } from '../state/selected-preference.ts';

/**
 * Returns the line of the deciding statement, or of the rule that makes preferences not applicable, and the lines of statements that say
 * something else.
 */
export function getPreferenceLines(
  { report, crawlLine }: PreferenceDetails,
  purpose: Purpose,
): DecidingLines {
  const preference = report.purposes[purpose];
  const lines = (preference?.statements ?? []).flatMap(({ source, line, value }) =>
    source === 'robots.txt' && line !== null && value !== preference?.value ? [line] : [],
  );
  const isInEditor = preference?.statements[0]?.source === 'robots.txt';
  const winner =
    preference?.value === 'not-applicable' ? crawlLine : isInEditor ? (preference?.line ?? 0) : 0;
  return {
    winner,
    overridden: lines.filter((line) => line !== winner),
    isAllowed: preference?.value === 'allowed',
  };
}
