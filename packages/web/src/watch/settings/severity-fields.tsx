/**
 * What is worse, or less bad, than usual.
 *
 * @module
 */
import type { JSX } from 'preact';
import type { Severity } from '../answers.ts';
import { SEVERITIES } from '../words.tsx';

/** What can be said of a change (docs/watch.md), in words. */
const ASPECTS: readonly (readonly [string, string])[] = [
  ['first', 'the first check'],
  ['formatting', 'formatting only'],
  ['others', 'verdicts change for other crawlers'],
  ['records', 'sitemaps or other records change'],
  ['allowed', 'something is newly allowed'],
  ['blocked', 'something is newly blocked'],
  ['root-blocked', 'the start page is newly blocked'],
  ['urls-allowed', 'listed URLs are newly allowed'],
  ['urls-blocked', 'listed URLs are newly blocked'],
  ['tests-fixed', 'tests hold again'],
  ['tests-broken', 'tests do not hold any more'],
  ['undecided', 'the rules are too entangled'],
  ['appeared', 'there is a file now'],
  ['disappeared', 'there is no file any more'],
  ['no-text', 'it is a page in HTML'],
  ['set-aside', 'its analysis does not end'],
  ['unreachable', 'an outage begins'],
  ['outage-continues', 'an outage means something else now'],
  ['recovered', 'an outage is over'],
];

interface SeverityFieldsProps {
  readonly severity: Readonly<Record<string, Severity>>;
  readonly onSeverity: (severity: Readonly<Record<string, Severity>>) => void;
}

/** A choice for each. */
export function SeverityFields({ severity, onSeverity }: SeverityFieldsProps): JSX.Element {
  const choose = (aspect: string, value: string): void => {
    const { [aspect]: _, ...others } = severity;
    onSeverity(value === '' ? others : { ...others, [aspect]: value as Severity });
  };
  return (
    <details>
      <summary>How bad each is</summary>
      <div class="severities">
        {ASPECTS.map(([aspect, word]) => (
          <label key={aspect}>
            {word}
            <select
              value={severity[aspect] ?? ''}
              onChange={({ currentTarget }) => choose(aspect, currentTarget.value)}
            >
              <option value="">as usual</option>
              {SEVERITIES.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </details>
  );
}
