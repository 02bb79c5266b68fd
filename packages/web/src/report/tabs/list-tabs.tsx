// Tabs that list URLs: those that the crawl omitted, those out of the scope of the audit, and slow pages.
import { parseUrl } from '@maycrawl/core/url';
import type { UrlState } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import type { ReportData } from '../data/report-data.ts';
import { type ListItem, UrlList } from '../parts/url-list.tsx';
import { useReport } from '../report-context.ts';
import { describeLinkCount } from '../text.ts';

const OMITTED: readonly (readonly [state: UrlState, title: string, description: string])[] = [
  [
    'crawl-trap',
    'Traps',
    'An endless series of similar URLs, such as a calendar that always has a next month. Search engines crawl them, too.',
  ],
  ['too-deep', 'Too deep', 'More links from the start than the run was allowed to follow.'],
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
      {end?.reason === 'max-pages' && (
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
    const note = state === 'crawl-trap' ? data.get(index, 'note') : null;
    found.get(state)?.push(note === null ? { index } : { index, note });
  }
  return found;
}

/** The audit knows of these URLs only that pages link to them. */
export function OutsideTab(): JSX.Element {
  const { data } = useReport();
  const groups = useMemo(() => groupByHost(data), [data]);
  const { shown, more } = useMore(groups.length);
  const count = data.head.counts.outside;
  return (
    <section class="card">
      <h2>Out of scope</h2>
      <p class="aside">
        {count === 0
          ? 'No URL out of the scope of the audit was found.'
          : `${formatCount(count, 'URL')} on other hosts, or excluded by --include and --exclude. Links, redirects or canonicals of audited pages name them. They have no verdicts.`}
      </p>
      {groups.slice(0, shown).map(([host, items]) => (
        <UrlList key={host} title={visible(host, 100)} items={items} />
      ))}
      {more}
    </section>
  );
}

/** Groups URLs by host, the one with the most URLs first. */
function groupByHost(data: ReportData): (readonly [host: string, items: ListItem[]])[] {
  const groups = new Map<string, ListItem[]>();
  for (let index = 0; index < data.count; index++) {
    // Sitemaps have a tab of their own.
    if (data.getState(index) !== 'outside' || data.get(index, 'note') === 'a sitemap') continue;
    const host = parseUrl(data.urls[index] ?? '')?.host ?? 'other';
    const links = data.links[index] as number;
    const note = links === 0 ? undefined : describeLinkCount(links, Number.POSITIVE_INFINITY);
    const item = note === undefined ? { index } : { index, note };
    const group = groups.get(host);
    if (group === undefined) groups.set(host, [item]);
    else group.push(item);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/** Milliseconds of a slow response. */
const SLOW = 1_000;

/** What is slow depends on where the audit runs, so no kind of findings is about it. */
export function SlowTab(): JSX.Element {
  const { data, agent } = useReport();
  const slow = useMemo(() => findSlow(data, agent), [data, agent]);
  return (
    <section class="card">
      <h2>Slow pages</h2>
      <UrlList title="Response time of a second or more" items={slow}>
        Slowest first, as measured by this crawl. Search engines crawl slow sites less.
      </UrlList>
    </section>
  );
}

function findSlow(data: ReportData, agent: number): ListItem[] {
  const slow: number[] = [];
  for (let index = 0; index < data.count; index++)
    if ((data.milliseconds[index] as number) >= SLOW && !data.isBlocked(index, agent)) slow.push(index);
  const time = (index: number): number => data.milliseconds[index] as number;
  return slow
    .sort((a, b) => time(b) - time(a))
    .map((index) => ({ index, note: `${(time(index) / 1000).toFixed(1)} s` }));
}
