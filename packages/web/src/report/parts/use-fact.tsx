// What is declared about the use of a URL, for one crawler.
import type { StoredPreferences } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { visible } from '../../shared/visible.ts';
import { getUse } from '../data/use.ts';
import { useReport } from '../report-context.ts';
import { USE_LABELS } from '../text.ts';

/** Shows the preferences with their statements, if something is declared for any URL of the run. */
export function UseFact({ index }: { readonly index: number }): JSX.Element | null {
  const { data, agent } = useReport();
  const [purpose] = data.head.preferences?.purposes ?? [];
  if (purpose === undefined) return null;
  const use = getUse(data, index, agent, purpose);
  if (use === 'none') return null;
  const preferences = data.getPreferences(index, agent);
  return (
    <Fact name="Use of content">
      {use === 'not-applicable' && 'Not applicable: the crawler may not fetch the URL.'}
      {use !== 'not-applicable' && preferences === null && 'Nothing is declared.'}
      {preferences !== null && <Statements preferences={preferences} />}
    </Fact>
  );
}

function Statements({
  preferences: { purposes, licenses, conflicts },
}: {
  readonly preferences: StoredPreferences;
}): JSX.Element {
  return (
    <>
      {Object.entries(purposes).map(([purpose, { value, statement, others, readings }]) => (
        <div key={purpose}>
          <b>{visible(purpose, 60)}</b>: {USE_LABELS[value]}
          {statement !== null && (
            <span class="line">
              <code>{visible(statement)}</code>
            </span>
          )}
          {others.map((other) => (
            <span key={other} class="line aside">
              also <code>{visible(other)}</code>
            </span>
          ))}
          {Object.entries(readings).map(([name, other]) => (
            <span key={name} class="line aside">
              {USE_LABELS[other]} under the reading “{visible(name, 60)}”
            </span>
          ))}
        </div>
      ))}
      {licenses.map((url) => (
        <div key={url}>
          licence <code>{visible(url)}</code>
        </div>
      ))}
      {conflicts.map((conflict) => (
        <div key={conflict} class="aside">
          conflict: {visible(conflict)}
        </div>
      ))}
    </>
  );
}
