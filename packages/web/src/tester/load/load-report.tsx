/**
 * The result of loading a robots.txt: requests, headers, and the effective policy. Servers may send anything, so all of it is shown as
 * text.
 *
 * @module
 */
import { getPolicyCode } from '@maycrawl/core';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { formatCount, formatMilliseconds } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { describeFailure } from './failure-text.ts';
import type { OriginReport } from './origin-report.ts';
import { describePolicy, formatMomentText, formatSummary } from './text.ts';

/** Shows the result. */
export function LoadReport({ report }: { readonly report: OriginReport }): JSX.Element {
  const { hops, headers, took, content, events, message, policy } = report;
  const failure = describeFailure(message);
  return (
    <details class="report" open>
      <summary>{visible(formatSummary(report))}</summary>
      {failure !== null && <p class="problem">{failure}</p>}
      <p>
        {visible(describePolicy(report))}
        {content === null &&
          (getPolicyCode(policy) === 'unavailable'
            ? ' There is no file, so the editor is empty.'
            : ' There is no file, so the editor is unchanged.')}
      </p>
      <ol class="hops">
        {hops.map(({ url, status, location }, index) => (
          <li key={index}>
            <code>{visible(url, 200)}</code> {status !== null && <>status {status}</>}
            {location !== null && (
              <>
                , redirects to <code>{visible(location, 200)}</code>
              </>
            )}
          </li>
        ))}
      </ol>
      <dl>
        {content !== null && <Fact name="size">{formatCount(content.length, 'byte')}</Fact>}
        {took !== null && <Fact name="duration">{formatMilliseconds(took)}</Fact>}
        {headers.map(([name, value]) => (
          <Fact key={name} name={visible(name, 60)}>
            {visible(value, 200)}
          </Fact>
        ))}
      </dl>
      {events.length > 1 && (
        <details>
          <summary>History</summary>
          <ol>
            {events.map(({ at, result }, index) => (
              <li key={index}>
                {visible(formatMomentText(at))}: {visible(result)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </details>
  );
}
