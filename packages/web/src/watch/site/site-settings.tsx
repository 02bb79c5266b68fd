/**
 * How a site is watched, in words.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import type { SiteAnswer } from '../answers.ts';
import { lengthInWords } from '../words.tsx';

/** Tells it. */
export function Settings({ settings }: Pick<SiteAnswer, 'settings'>): JSX.Element {
  const { every, agents, urls, tests, notify, severity } = settings;
  const facts: readonly (readonly [string, string])[] = [
    ['Checked every', lengthInWords(every)],
    ['Crawlers', agents.length === 0 ? 'all' : agents.join(', ')],
    ['URLs', urls ?? 'none'],
    ['Tests', tests ?? 'none'],
    ['Who is told', notify.length === 0 ? 'nobody' : notify.join(', ')],
    ...Object.entries(severity).map(([aspect, bad]) => [`Severity of ${aspect}`, bad] as const),
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{visible(name, 100)}</dt>
          <dd>{visible(value, 1000)}</dd>
        </div>
      ))}
    </dl>
  );
}
