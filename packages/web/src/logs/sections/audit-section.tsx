// The requests compared with an audit: pages that no search crawler requested, and requests that are of no use.
import type { AuditComparison } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { createSegmentTable } from '../data/tables.ts';
import type { SectionProps } from '../parts/props.ts';
import { Section } from '../parts/section.tsx';

type SegmentRequests = AuditComparison['segments'][number];

const toColumn = (title: string, get: (segment: SegmentRequests) => number): Column<SegmentRequests> => ({
  ...{ title, kind: 'number', note: title },
  getClass: (segment) => (get(segment) === 0 ? 'zero' : ''),
  getCell: (segment) => formatNumber(get(segment)),
});

const COLUMNS: readonly Column<SegmentRequests>[] = [
  { title: 'Segment', kind: 'row', getCell: ({ segment }) => visible(segment, 100) },
  toColumn('indexable', ({ indexable }) => indexable),
  toColumn('of these, requested', ({ searched }) => searched),
  toColumn('to blocked URLs', ({ blocked }) => blocked),
  toColumn('to noindex', ({ noindex }) => noindex),
  toColumn('to redirects', ({ redirected }) => redirected),
  toColumn('to missing URLs', ({ missing }) => missing),
];

export function AuditSection({ data }: SectionProps): JSX.Element | null {
  const { audit } = data.log;
  if (audit === null) return null;
  const { agent, unrequested, unlinked, segments } = audit;
  return (
    <Section
      name="audit"
      finding={
        <>
          No search crawler requested <b>{formatCount(unrequested.count, 'page')}</b> that{' '}
          {visible(agent, 60)} can index. No page links to{' '}
          <b>{formatCount(unlinked.count, 'requested URL')}</b>. The numbers are of all crawlers, whatever the
          filter.
        </>
      }
    >
      {segments.length > 0 && (
        <Chart
          title="Indexable pages, and requests to other URLs, by segment of the site"
          table={() => createSegmentTable(segments)}
        >
          <DataTable class="stacked" rows={segments} getKey={({ segment }) => segment} columns={COLUMNS} />
        </Chart>
      )}
      <UrlList
        title="Indexable pages that no search crawler requested"
        count={unrequested.count}
        urls={unrequested.urls.map((url) => ({ url, note: '' }))}
      />
      <UrlList
        title="Requested URLs to which no page links"
        count={unlinked.count}
        urls={unlinked.urls.map(({ url, requests }) => ({ url, note: formatCount(requests, 'request') }))}
      />
    </Section>
  );
}

interface UrlListProps {
  readonly title: string;
  readonly count: number;
  readonly urls: readonly { readonly url: string; readonly note: string }[];
}

function UrlList({ title, count, urls }: UrlListProps): JSX.Element | null {
  const { shown, more } = useMore(urls.length);
  if (count === 0) return null;
  return (
    <details>
      <summary>
        {title}: {formatNumber(count)}
      </summary>
      <ol class="urls">
        {urls.slice(0, shown).map(({ url, note }) => (
          <li key={url}>
            <code>{visible(url, 300)}</code> {note !== '' && <span class="aside">{note}</span>}
          </li>
        ))}
      </ol>
      {more}
      {count > urls.length && <p class="aside">{formatNumber(count - urls.length)} more</p>}
    </details>
  );
}
