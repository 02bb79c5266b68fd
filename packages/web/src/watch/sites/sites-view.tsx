/**
 * The list of sites, its filter, and the latest events.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SEVERITIES } from '../../shared/severity.tsx';
import { useResponse } from '../connection/watch-client.ts';
import { SiteForm } from '../settings/site-form.tsx';
import { EventsList } from '../site/events-list.tsx';
import { POLICY_LABELS } from '../text.ts';
import { type SitesFilter, SitesPage } from './sites-page.tsx';

/** Milliseconds from the last key to the search. */
const SEARCH_DELAY = 250;

/** Shows the sites. */
export function SitesView(): JSX.Element {
  const [filter, setFilter] = useState<SitesFilter>({ search: '', policy: '', severity: '' });
  const [search, setSearch] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  /** `after` of each page that is shown. */
  const [starts, setStarts] = useState<readonly string[]>(['']);
  const choose = (part: Partial<SitesFilter>): void => {
    setStarts(['']);
    setFilter((before) => ({ ...before, ...part }));
  };
  useEffect(() => {
    if (search === filter.search) return;
    const timer = setTimeout(() => choose({ search }), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [search]);
  const [events] = useResponse('GET events', { limit: 5 }, ({ kind }) => kind !== 'checked');
  return (
    <>
      <div class="bar">
        <label class="add">
          <span class="unseen">Filter by name</span>
          <input
            type="text"
            placeholder="Part of the name"
            spellcheck={false}
            autoCapitalize="none"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
        <Choice
          label="Policy"
          choices={Object.entries(POLICY_LABELS)}
          value={filter.policy}
          onChoose={(policy) => choose({ policy })}
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
      {events?.kind === 'success' && events.value.events.length > 0 && (
        <section class="card" aria-labelledby="events">
          <h2 id="events">Latest events</h2>
          <EventsList events={events.value.events} withSites />
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
        {choices.map(([each, label]) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
