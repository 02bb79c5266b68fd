/**
 * Compares the sitemaps with the crawl: URLs that cannot be indexed, that are missing, and that only sitemaps list.
 *
 * @module
 */
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { ListItem } from '../data/chains.ts';
import { getOutcome } from '../data/outcome.ts';
import type { ReportData } from '../data/report-data.ts';
import { UrlList } from '../parts/url-list.tsx';
import { OUTCOME_LABELS, STATE_LABELS } from '../text.ts';

export interface TabProps {
  readonly data: ReportData;
  readonly agent: number;
  readonly onOpen: (index: number) => void;
}

/** Shows the comparison. */
export function SitemapTab({ data, agent, onOpen }: TabProps): JSX.Element {
  const { head } = data;
  const found = useMemo(() => compareSitemaps(data, agent), [data, agent]);
  const isComplete = head.end?.why === 'complete';
  const omitted = head.counts.deep + head.counts.trap;
  const list = (title: string, items: readonly ListItem[], meaning?: string): JSX.Element => (
    <UrlList key={title} data={data} title={title} items={items} onOpen={onOpen}>
      {meaning}
    </UrlList>
  );
  return (
    <>
      <section class="card">
        <h2>Sitemaps</h2>
        {!head.settings.sitemaps && <p>This run did not read sitemaps.</p>}
        {head.settings.sitemaps && head.sitemaps.length === 0 && <p>No sitemap was found.</p>}
        {head.sitemaps.length > 0 && (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Sitemap</th>
                  <th scope="col">Found in</th>
                  <th scope="col" class="number">
                    Entries
                  </th>
                  <th scope="col">Problem</th>
                </tr>
              </thead>
              <tbody>
                {head.sitemaps.map(({ id, url, foundIn, entries, problem }) => (
                  <tr key={id}>
                    <td>
                      <code>{visible(url)}</code>
                    </td>
                    <td>{visible(foundIn)}</td>
                    <td class="number">{entries === null ? 'not read' : formatNumber(entries)}</td>
                    <td class={problem === null ? '' : 'problem'}>
                      {problem === null ? 'none' : visible(problem)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {head.omitted.sitemaps > 0 && (
          <p class="aside">and {formatCount(head.omitted.sitemaps, 'other sitemap')}</p>
        )}
      </section>
      <section class="card">
        <h2>In a sitemap, but not indexable</h2>
        <p class="aside">A sitemap should list only indexable URLs with status 200.</p>
        {REASONS.map((reason) => list(OUTCOME_LABELS[reason], found.bad[reason]))}
        {list('not judged: omitted, out of scope, or not reached', found.unjudged)}
      </section>
      <section class="card">
        <h2>In a sitemap, but not linked</h2>
        {isComplete ? (
          <>
            {omitted > 0 && (
              <p class="aside">
                {formatCount(omitted, 'URL')} omitted from the crawl. Links on these pages, and on blocked
                pages, are not counted.
              </p>
            )}
            {list('orphans: no crawled page links to them', found.orphans)}
          </>
        ) : (
          <p>
            Not available: the crawl is not complete, and pages that it has not fetched may link to these
            URLs.
          </p>
        )}
      </section>
      <section class="card">
        <h2>Linked, but in no sitemap</h2>
        {head.sitemaps.some(({ entries }) => entries !== null) ? (
          <>
            {head.sitemaps.some(({ entries, problem }) => entries === null || problem !== null) && (
              <p class="aside">
                Some sitemaps could not be read completely. They may list some of these URLs.
              </p>
            )}
            {list('indexable pages that no sitemap lists', found.missing)}
          </>
        ) : (
          <p>No sitemap was read, so there is nothing to compare.</p>
        )}
      </section>
    </>
  );
}

interface Found {
  readonly bad: Readonly<Record<Reason, ListItem[]>>;
  readonly unjudged: ListItem[];
  readonly orphans: ListItem[];
  readonly missing: ListItem[];
}

function compareSitemaps(data: ReportData, agent: number): Found {
  const bad = Object.fromEntries(REASONS.map((reason) => [reason, []])) as unknown as Record<
    Reason,
    ListItem[]
  >;
  const found: Found = { bad, unjudged: [], orphans: [], missing: [] };
  // Verdicts are few, URLs are many.
  const outcomes = data.head.verdicts.map((each) => getOutcome(each[agent] ?? null));
  for (let index = 0; index < data.count; index++) {
    const outcome = outcomes[data.verdicts[index] as number] ?? 'unjudged';
    const isLinked = (data.links[index] as number) > 0;
    if (!data.isInSitemap(index)) {
      if (outcome === 'indexable' && isLinked) found.missing.push({ index });
      continue;
    }
    if (outcome === 'unjudged') found.unjudged.push({ index, note: STATE_LABELS[data.getState(index)] });
    else if (outcome !== 'indexable') bad[outcome].push({ index });
    if (!isLinked && !data.isStart(index)) found.orphans.push({ index });
  }
  return found;
}
