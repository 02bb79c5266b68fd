/**
 * The list: what holds at each site, what happened there last, and which ones are wanted.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WatchEvent } from '../answers.ts';
import { useAnswer } from '../connection/asking.ts';
import { SiteForm } from '../settings/site-form.tsx';
import { EventsList } from '../site/events-list.tsx';
import { SEVERITIES, STATES } from '../words.tsx';
import { type SitesFilter, SitesPage } from './sites-page.tsx';

/** Milliseconds after a key is pressed. */
const PAUSE = 250;

/** Shows the sites. */
export function SitesView(): JSX.Element {
  const [filter, setFilter] = useState<SitesFilter>({ search: '', holds: '', severity: '' });
  const [search, setSearch] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  /** Where the pages begin that are shown. */
  const [starts, setStarts] = useState<readonly string[]>(['']);
  const choose = (part: Partial<SitesFilter>): void => {
    setStarts(['']);
    setFilter((before) => ({ ...before, ...part }));
  };
  useEffect(() => {
    if (search === filter.search) return;
    const timer = setTimeout(() => choose({ search }), PAUSE);
    return () => clearTimeout(timer);
  }, [search]);
  const [events] = useAnswer<{ readonly events: readonly WatchEvent[] }>(
    'events',
    { limit: 5 },
    ({ kind }) => kind !== 'checked',
  );
  return (
    <>
      <div class="bar">
        <label class="add">
          <span class="unseen">Search by a part of the name</span>
          <input
            type="text"
            placeholder="Part of a name"
            spellcheck={false}
            autoCapitalize="none"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
        <Choice
          label="What holds"
          choices={STATES}
          value={filter.holds}
          onChoose={(holds) => choose({ holds })}
        />
        <Choice
          label="Last event"
          choices={SEVERITIES.map((each) => [each, each] as const)}
          value={filter.severity}
          onChoose={(severity) => choose({ severity })}
        />
        <button type="button" class="primary" onClick={() => setIsAdding(true)}>
          Watch a site…
        </button>
      </div>
      <section class="card" aria-labelledby="sites">
        <h2 id="sites">Sites</h2>
        {starts.map((after) => (
          <SitesPage
            key={JSON.stringify([filter, after])}
            filter={filter}
            after={after}
            isFirst={after === ''}
            isLast={after === starts.at(-1)}
            onMore={(next) => setStarts([...starts, next])}
          />
        ))}
      </section>
      {events?.kind === 'answer' && events.answer.events.length > 0 && (
        <section class="card" aria-labelledby="happened">
          <h2 id="happened">What happened last</h2>
          <EventsList events={events.answer.events} withSites />
        </section>
      )}
      {isAdding && <SiteForm origin={null} onClose={() => setIsAdding(false)} />}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, choices, value, onChoose }: ChoiceProps): JSX.Element {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">any</option>
        {choices.map(([each, word]) => (
          <option key={each} value={each}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}
