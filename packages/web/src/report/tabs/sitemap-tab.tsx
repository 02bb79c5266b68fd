/**
 * Sitemaps against the crawl: what they name that cannot be indexed, what they miss, and what only they name.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { Listed } from '../data/chains.ts';
import { REASONS, type Reason } from '../data/head.ts';
import type { ReportData } from '../data/report-data.ts';
import { UrlList } from '../parts/url-list.tsx';
import { counted, standingOf, wordOf } from '../words.tsx';

export interface TabProps {
  readonly data: ReportData;
  readonly agent: number;
  readonly onOpen: (place: number) => void;
}

/** Shows what was found. */
export function SitemapTab({ data, agent, onOpen }: TabProps): JSX.Element {
  const { head } = data;
  const found = useMemo(() => compareSitemaps(data, agent), [data, agent]);
  const isComplete = head.end?.why === 'complete';
  const leftOut = head.counts.deep + head.counts.trap;
  const list = (title: string, items: readonly Listed[], meaning?: string): JSX.Element => (
    <UrlList key={title} data={data} title={title} items={items} onOpen={onOpen}>
      {meaning}
    </UrlList>
  );
  return (
    <>
      <section class="card">
        <h2>Sitemaps</h2>
        {!head.settings.sitemaps && <p>The run was not to read sitemaps.</p>}
        {head.settings.sitemaps && head.sitemaps.length === 0 && <p>No sitemap was found.</p>}
        {head.sitemaps.length > 0 && (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Sitemap</th>
                  <th scope="col">Named by</th>
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
                    <td class="number">{entries === null ? 'not read' : entries.toLocaleString('en')}</td>
                    <td class={problem === null ? '' : 'problem'}>
                      {problem === null ? 'none' : visible(problem)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {head.leftOut.sitemaps > 0 && (
          <p class="aside">and {counted(head.leftOut.sitemaps, 'other sitemap')}</p>
        )}
      </section>
      <section class="card">
        <h2>In a sitemap, but not indexable</h2>
        <p class="aside">A sitemap should name only URLs that answer 200 and are to be indexed.</p>
        {REASONS.map((reason) => list(wordOf(reason), found.bad[reason]))}
        {list('not judged: left out, outside of what is audited, or not reached', found.unjudged)}
      </section>
      <section class="card">
        <h2>In a sitemap, but not linked</h2>
        {isComplete ? (
          <>
            {leftOut > 0 && (
              <p class="aside">
                {counted(leftOut, 'URL')} were left out of the crawl; links on those pages, and on pages that
                are blocked, were not seen.
              </p>
            )}
            {list('orphans: no page that was seen links to them', found.orphans)}
          </>
        ) : (
          <p>
            That cannot be told: the crawl is not complete, and pages that it has not seen could link to them.
          </p>
        )}
      </section>
      <section class="card">
        <h2>Linked, but in no sitemap</h2>
        {head.sitemaps.some(({ entries }) => entries !== null) ? (
          <>
            {head.sitemaps.some(({ entries, problem }) => entries === null || problem !== null) && (
              <p class="aside">Some sitemaps could not be read whole, so some of these may be in them.</p>
            )}
            {list('indexable pages that no sitemap names', found.missing)}
          </>
        ) : (
          <p>No sitemap was read, so there is nothing to compare with.</p>
        )}
      </section>
    </>
  );
}

interface Found {
  readonly bad: Readonly<Record<Reason, Listed[]>>;
  readonly unjudged: Listed[];
  readonly orphans: Listed[];
  readonly missing: Listed[];
}

function compareSitemaps(data: ReportData, agent: number): Found {
  const bad = Object.fromEntries(REASONS.map((reason) => [reason, []])) as unknown as Record<
    Reason,
    Listed[]
  >;
  const found: Found = { bad, unjudged: [], orphans: [], missing: [] };
  // Verdicts are few, URLs are many.
  const standings = data.head.verdicts.map((each) => standingOf(each[agent] ?? null));
  for (let place = 0; place < data.count; place++) {
    const standing = standings[data.verdicts[place] as number] ?? 'unjudged';
    const isLinked = (data.links[place] as number) > 0;
    if (!data.isInSitemap(place)) {
      if (standing === 'indexable' && isLinked) found.missing.push({ place });
      continue;
    }
    if (standing === 'unjudged') found.unjudged.push({ place, note: data.state(place) });
    else if (standing !== 'indexable') bad[standing].push({ place });
    if (!isLinked && !data.isStart(place)) found.orphans.push({ place });
  }
  return found;
}
