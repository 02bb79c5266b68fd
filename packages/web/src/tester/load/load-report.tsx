// The result of loading a robots.txt: requests, headers, and the effective policy. Servers may send anything, so all of it is shown as
// text.
import type { RobotsReport } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { readPolicyCode } from '../../shared/requests/service.ts';
import { formatCount, formatMilliseconds, listHeaders } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { describeEvent, describeFailure, describePolicy, formatMomentText, formatSummary } from './text.ts';

export function LoadReport({ report }: { readonly report: RobotsReport }): JSX.Element {
  const { hops, headers, timings, content, bytes, events, message, policy } = report;
  const took = timings?.['total'];
  const failure = describeFailure(message);
  return (
    <details class="report" open>
      <summary>{visible(formatSummary(report))}</summary>
      {failure !== null && <p class="problem">{failure}</p>}
      <p>
        {visible(describePolicy(report))}
        {content === null &&
          (readPolicyCode(policy) === 'unavailable'
            ? ' There is no file, so the editor is empty.'
            : ' There is no file, so the editor is unchanged.')}
      </p>
      <ol class="hops">
        {hops.map(({ url, status, location }, index) => (
          <li key={index}>
            <code>{visible(url, 200)}</code> {status !== null && <>status {status}</>}
            {location !== undefined && (
              <>
                , redirects to <code>{visible(location, 200)}</code>
              </>
            )}
          </li>
        ))}
      </ol>
      <dl>
        {content !== null && <Fact name="size">{formatCount(bytes, 'byte')}</Fact>}
        {typeof took === 'number' && <Fact name="duration">{formatMilliseconds(took)}</Fact>}
        {listHeaders(headers).map(([name, value]) => (
          <Fact key={name} name={visible(name, 60)}>
            {visible(value, 200)}
          </Fact>
        ))}
      </dl>
      {events.length > 1 && (
        <details>
          <summary>History</summary>
          <ol>
            {events.map((event, index) => (
              <li key={index}>
                {visible(formatMomentText(event.at ?? ''))}: {visible(describeEvent(event))}
              </li>
            ))}
          </ol>
        </details>
      )}
    </details>
  );
}
