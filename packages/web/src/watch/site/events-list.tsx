/**
 * What happened, the newest first.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import type { WatchEvent } from '../answers.ts';
import { linkTo } from '../route.ts';
import { Moment, SeverityBadge, titleWithout } from '../words.tsx';

interface EventsListProps {
  readonly events: readonly WatchEvent[];
  /** Whether to name the site of each. */
  readonly withSites?: boolean;
  /** The version before one with which it can be compared; `null` if there is none. */
  readonly before?: (version: number) => number | null;
}

const NOTHING_BEFORE = (): null => null;

/** Lists events, with what each meant. */
export function EventsList(props: EventsListProps): JSX.Element {
  const { events, withSites = false, before = NOTHING_BEFORE } = props;
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
            {titleWithout(origin, title)}
            {throttled && <span class="aside"> (nobody was told: it changes all the time)</span>}
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
              <Comparing origin={origin} before={before(version)} after={version} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

interface ComparingProps {
  readonly origin: string;
  readonly before: number | null;
  readonly after: number;
}

function Comparing({ origin, before, after }: ComparingProps): JSX.Element | null {
  if (before === null) return null;
  return (
    <>
      {' '}
      <a href={linkTo({ view: 'compare', origin, before, after })}>compare with version {before}</a>
    </>
  );
}
