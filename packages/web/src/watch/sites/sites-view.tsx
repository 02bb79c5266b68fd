// The list of sites, its filter, and the latest events.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Select, toChoices } from '../../shared/fields/select.tsx';
import { TextField } from '../../shared/fields/text-field.tsx';
import { SEVERITIES } from '../../shared/severity.tsx';
import { useResponse } from '../connection/watch-client.ts';
import { SiteForm } from '../settings/site-form.tsx';
import { EventsList } from '../site/events-list.tsx';
import { POLICY_LABELS } from '../text.ts';
import { type SitesFilter, SitesPage } from './sites-page.tsx';

/** Milliseconds from the last key to the search. */
const SEARCH_DELAY = 250;

const ANY = ['', 'any'] as const;

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
        <TextField
          isInRow
          label="Filter by name"
          placeholder="Part of the name"
          value={search}
          onValue={setSearch}
        />
        <Select
          label="Policy"
          choices={[ANY, ...Object.entries(POLICY_LABELS)]}
          value={filter.policy}
          onChoose={(policy) => choose({ policy })}
        />
        <Select
          label="Last event"
          choices={[ANY, ...toChoices<string>(SEVERITIES)]}
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
