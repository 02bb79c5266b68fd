/**
 * How a robots.txt came, hop by hop, and what it means. All of it is quoted as text: servers may send anything.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import type { RobotsAnswer } from './robots-answer.ts';

/** Tells what happened. */
export function LoadReport({ answer }: { readonly answer: RobotsAnswer }): JSX.Element {
  const { hops, headers, took, content, events } = answer;
  return (
    <details class="report" open>
      <summary>{visible(summaryOf(answer))}</summary>
      <p>
        {visible(meaningOf(answer))}
        {content === null && ' No file came, so the editor stays as it is.'}
      </p>
      <ol class="hops">
        {hops.map(({ url, status, location }, index) => (
          <li key={index}>
            <code>{visible(url, 200)}</code> {status !== null && <>answered {status}</>}
            {location !== null && (
              <>
                , and leads to <code>{visible(location, 200)}</code>
              </>
            )}
          </li>
        ))}
      </ol>
      <dl>
        {content !== null && <Fact name="size" value={`${content.length.toLocaleString('en')} bytes`} />}
        {took !== null && (
          <Fact name="took" value={`${took.toLocaleString('en', { maximumFractionDigits: 0 })} ms`} />
        )}
        {headers.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {events.length > 1 && (
        <details>
          <summary>What happened before</summary>
          <ol>
            {events.map(({ at, what }, index) => (
              <li key={index}>
                {visible(momentOf(at))}: {visible(what)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </details>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{visible(name, 60)}</dt>
      <dd>{visible(value, 200)}</dd>
    </div>
  );
}

function summaryOf({ origin, outcome, status, reason }: RobotsAnswer): string {
  const why = reason ?? (status === null ? '' : `status ${status}`);
  return `${origin}: ${outcome}${why === '' ? '' : `, ${why}`}`;
}

const MEANINGS: Readonly<Record<string, string>> = {
  rules: 'The rules of the file hold',
  absent: 'There is no robots.txt: everything may be fetched',
  unreachable: 'The robots.txt cannot be had: nothing may be fetched',
  'outage-expired': 'It has been unreachable for so long that everything may be fetched',
};

/** What holds, and for how long. */
function meaningOf({ use, expiresAt, failsSince }: RobotsAnswer): string {
  const what = MEANINGS[use] ?? 'What holds is not known';
  if (failsSince !== null)
    return `${what}. It fails${failsSince === '' ? '' : ` since ${momentOf(failsSince)}`}; what that means as time goes by, “Outage” shows.`;
  return expiresAt === null ? `${what}.` : `${what} until ${momentOf(expiresAt)}; then it is asked again.`;
}

/** A moment as people write it here. */
function momentOf(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toLocaleString();
}
