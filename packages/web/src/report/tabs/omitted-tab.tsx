/**
 * What the crawl left out, and why.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Listed } from '../data/chains.ts';
import type { State } from '../data/head.ts';
import type { ReportData } from '../data/report-data.ts';
import { UrlList } from '../parts/url-list.tsx';
import type { TabProps } from './sitemap-tab.tsx';

const LEFT_OUT: readonly (readonly [state: State, title: string, meaning: string])[] = [
  [
    'trap',
    'Traps',
    'There seems to be no end of URLs like these, as of a calendar that always has a next month. Search engines run into them, too.',
  ],
  ['deep', 'Too deep', 'More links from the start than the run was to follow.'],
  ['waiting', 'Waiting', 'The crawl ended before it came to them.'],
  [
    'blocked',
    'Asked for by nobody',
    'The robots.txt forbids them to all crawlers of the run, or to maycrawl itself, so what they say is not known.',
  ],
  [
    'outside',
    'Outside',
    'Not of what is audited: other hosts, or paths that were excluded. They were not asked for.',
  ],
];

/** Shows lists of what was left out. */
export function LeftOutTab({ data, onOpen }: TabProps): JSX.Element {
  const found = useMemo(() => byState(data), [data]);
  const { end, settings } = data.head;
  return (
    <section class="card">
      <h2>What was left out</h2>
      {end?.why === 'max-pages' && (
        <p>
          The run ended at {(settings.maxPages ?? 0).toLocaleString('en')} pages, as it was told to;{' '}
          {end.waiting.toLocaleString('en')} URLs are waiting.
        </p>
      )}
      {LEFT_OUT.map(([state, title, meaning]) => (
        <UrlList key={state} data={data} title={title} items={found.get(state) ?? []} onOpen={onOpen}>
          {meaning}
        </UrlList>
      ))}
    </section>
  );
}

function byState(data: ReportData): Map<State, Listed[]> {
  const found = new Map<State, Listed[]>(LEFT_OUT.map(([state]) => [state, []]));
  for (let place = 0; place < data.count; place++) {
    const state = data.state(place);
    const note = state === 'trap' ? data.note(place) : null;
    found.get(state)?.push(note === null ? { place } : { place, note });
  }
  return found;
}
