/**
 * Messages that have not arrived: those that wait, and those that were given up.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import type { Delivery } from '../answers.ts';
import { Moment } from '../words.tsx';

/** Lists them. */
export function Deliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }): JSX.Element {
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">Messages that have not arrived</h2>
      <ul class="events">
        {deliveries.map(({ event, target, title, state, attempts, error, nextAt, droppedAt }) => (
          <li key={`${event} ${target}`}>
            <p>
              <b>{state === 'dropped' ? 'given up' : 'waiting'}</b>: <code>{visible(target, 200)}</code>
            </p>
            <p>{visible(title, 300)}</p>
            <p class="aside">
              {attempts} {attempts === 1 ? 'try' : 'tries'}
              {state === 'dropped' ? (
                <>
                  , given up <Moment at={droppedAt} />
                </>
              ) : (
                <>
                  , next <Moment at={nextAt} />
                </>
              )}
              {error !== null && <>: {visible(error, 300)}</>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
