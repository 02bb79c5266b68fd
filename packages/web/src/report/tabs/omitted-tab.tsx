// URLs that the crawl omitted, and why.
import type { UrlState } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount } from '../../shared/text.ts';
import type { ReportData } from '../data/report-data.ts';
import { type ListItem, UrlList } from '../parts/url-list.tsx';
import { useReport } from '../report-context.ts';

const OMITTED: readonly (readonly [state: UrlState, title: string, description: string])[] = [
  [
    'trap',
    'Traps',
    'An endless series of similar URLs, such as a calendar that always has a next month. Search engines crawl them, too.',
  ],
  ['deep', 'Too deep', 'More links from the start than the run was allowed to follow.'],
  ['waiting', 'Waiting', 'The crawl ended before it reached them.'],
  [
    'blocked',
    'Blocked for all crawlers',
    'Disallowed for all crawlers of the run, or for maycrawl itself, and therefore not fetched.',
  ],
];

export function OmittedTab(): JSX.Element {
  const { data } = useReport();
  const found = useMemo(() => groupByState(data), [data]);
  const { end, settings } = data.head;
  return (
    <section class="card">
      <h2>Omitted URLs</h2>
      {end?.why === 'max-pages' && (
        <p>
          The run ended at its limit of {formatCount(settings.maxPages ?? 0, 'page')};{' '}
          {formatCount(end.waiting, 'URL')} waiting.
        </p>
      )}
      {OMITTED.map(([state, title, description]) => (
        <UrlList key={state} title={title} items={found.get(state) ?? []}>
          {description}
        </UrlList>
      ))}
    </section>
  );
}

function groupByState(data: ReportData): Map<UrlState, ListItem[]> {
  const found = new Map<UrlState, ListItem[]>(OMITTED.map(([state]) => [state, []]));
  for (let index = 0; index < data.count; index++) {
    const state = data.getState(index);
    const note = state === 'trap' ? data.get(index, 'note') : null;
    found.get(state)?.push(note === null ? { index } : { index, note });
  }
  return found;
}
