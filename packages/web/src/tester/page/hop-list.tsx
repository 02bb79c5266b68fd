// The URL and the targets of its redirects, each with its verdict and its response.
import type { PageJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatCount, formatMilliseconds } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { describeCause, RobotsBadge } from './badges.tsx';

type Hop = PageJson<'PageHop'>;

/** Shows the chain. @param agent - the crawler whose verdicts are shown. */
export function HopList({
  hops,
  agent,
}: {
  readonly hops: readonly Hop[];
  readonly agent: string;
}): JSX.Element {
  return (
    <section aria-labelledby="page-hops">
      <h2 id="page-hops">{hops.length === 1 ? 'Response' : 'Redirects and response'}</h2>
      <ol class="page-hops">
        {hops.map((hop, index) => (
          <li key={index}>
            <div>
              <code>{visible(hop.url, 2_000)}</code>
            </div>
            <div>
              {hop.verdicts
                .filter((verdict) => verdict.agent === agent)
                .map((verdict) => (
                  <span key={verdict.agent}>
                    <RobotsBadge verdict={verdict} /> {visible(describeCause(verdict), 300)}
                    {verdict.rule !== null && verdict.line > 0 && (
                      <>
                        {' '}
                        <code>
                          {visible(`${verdict.allowed ? 'Allow' : 'Disallow'}: ${verdict.rule}`, 300)}
                        </code>
                      </>
                    )}
                  </span>
                ))}
            </div>
            <div class="aside">{visible(describeResponse(hop), 3_000)}</div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const PROBLEMS: Readonly<Record<NonNullable<Hop['problem']>, string>> = {
  disallowed: 'Not requested: no crawler that obeys the groups for all crawlers may fetch it.',
  'disallowed-for-maycrawl': 'Not requested: robots.txt disallows it for maycrawl by name.',
  'no-verdict': 'Not requested: whether a crawler may fetch it is unknown.',
  'url-too-long': 'That redirect was not followed: its URL is too long.',
  loop: 'That URL was requested before: the redirects have no end.',
  'too-many-redirects': 'That redirect was not followed: there are too many.',
};

/** "Status 200, text/html, 1,234 bytes, 12 ms" */
export function describeResponse({
  status,
  type,
  location,
  bytes,
  milliseconds,
  failure,
  problem,
}: Hop): string {
  const end = problem === null ? '' : PROBLEMS[problem];
  if (failure !== null) return `No usable response: ${failure.message}.`;
  if (status === null) return end;
  if (location !== null) return `Status ${status}, redirects to ${location}. ${end}`.trim();
  const parts = [`Status ${status}`, type ?? 'no media type'];
  if (bytes !== null) parts.push(formatCount(bytes, 'byte'));
  if (milliseconds !== null) parts.push(formatMilliseconds(milliseconds));
  return `${parts.join(', ')}.`;
}
