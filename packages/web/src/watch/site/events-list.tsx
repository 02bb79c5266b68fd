// Events, the newest first.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { SeverityBadge } from '../../shared/severity.tsx';
import { visible } from '../../shared/visible.ts';
import { Moment } from '../badges.tsx';
import { linkTo } from '../route.ts';
import { formatTitle } from '../text.ts';

interface EventsListProps {
  readonly events: readonly WatchJson<'Event'>[];
  /** Whether to name the site of each. */
  readonly withSites?: boolean;
  /** Finds the version to compare another one with; `null` if there is none. */
  readonly findPrevious?: (version: number) => number | null;
}

const findNone = (): null => null;

export function EventsList({
  events,
  withSites = false,
  findPrevious = findNone,
}: EventsListProps): JSX.Element {
  return (
    <ol class="events">
      {events.map(({ id, at, origin, severity, title, text, version, throttled }) => (
        <li key={id}>
          <p>
            <SeverityBadge severity={severity} />{' '}
            <span class="aside">
              <Moment at={at} />
            </span>{' '}
            {withSites && <a href={linkTo({ view: 'site', origin })}>{visible(origin, 100)}</a>}
          </p>
          <p>
            {formatTitle({ origin, title })}
            {throttled && <span class="aside"> (no notification: the site changes too often)</span>}
          </p>
          {!withSites && text !== '' && (
            <ul>
              {text.split('\n').map((line, index) => (
                <li key={index}>{visible(line, 300)}</li>
              ))}
            </ul>
          )}
          {!withSites && (
            <p class="aside">
              <a href={linkTo({ view: 'version', origin, number: version })}>version {version}</a>
              <CompareLink origin={origin} before={findPrevious(version)} after={version} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

interface CompareLinkProps {
  readonly origin: string;
  readonly before: number | null;
  readonly after: number;
}

function CompareLink({ origin, before, after }: CompareLinkProps): JSX.Element | null {
  if (before === null) return null;
  return (
    <>
      {' '}
      <a href={linkTo({ view: 'compare', origin, before, after })}>compare with version {before}</a>
    </>
  );
}
