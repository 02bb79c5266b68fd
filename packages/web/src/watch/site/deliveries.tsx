// Notifications that were not delivered: those that are waiting, and those that were given up.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatCount } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { Moment } from '../badges.tsx';

interface DeliveriesProps {
  readonly deliveries: readonly WatchJson<'Delivery'>[];
}

export function Deliveries({ deliveries }: DeliveriesProps): JSX.Element {
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">Undelivered notifications</h2>
      <ul class="events">
        {deliveries.map(({ event, target, title, state, attempts, error, nextAt, droppedAt }) => (
          <li key={`${event} ${target}`}>
            <p>
              <b>{state === 'dropped' ? 'given up' : 'waiting'}</b>: <code>{visible(target, 200)}</code>
            </p>
            <p>{visible(title, 300)}</p>
            <p class="aside">
              {formatCount(attempts, 'attempt')}
              {state === 'dropped' ? ', given up ' : ', next attempt '}
              <Moment at={state === 'dropped' ? droppedAt : nextAt} />
              {error !== null && <>: {visible(error, 300)}</>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
