/**
 * What pages are like: the same as others, perhaps missing though they answer 200, slow, or with versions in other languages
 * that cannot be indexed.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Listed } from '../data/chains.ts';
import type { ReportData } from '../data/report-data.ts';
import { UrlList } from '../parts/url-list.tsx';
import { counted, standingOf, wordOf } from '../words.tsx';
import type { TabProps } from './sitemap-tab.tsx';

/** From here on an answer is slow, in milliseconds. */
const SLOW = 1_000;
/** Members of a group that are shown with the first. */
const SHOWN = 10;

/** Shows it. */
export function ContentTab({ data, agent, onOpen }: TabProps): JSX.Element {
  const { soft, groups } = useMemo(() => sameContent(data, agent), [data, agent]);
  const slow = useMemo(() => slowest(data, agent), [data, agent]);
  const versions = useMemo(() => badVersions(data, agent), [data, agent]);
  const list = { data, onOpen };
  return (
    <>
      <section class="card">
        <h2>The same content</h2>
        <UrlList {...list} title="Answer 200 with the content of a page that was not found" items={soft}>
          Hints at soft 404s: such a page should answer 404 or 410.
        </UrlList>
        <UrlList {...list} title="Indexable pages whose content is the same, to the byte" items={groups}>
          Duplicates: let all but one redirect, or name the one as their canonical.
        </UrlList>
      </section>
      <section class="card">
        <h2>Other languages</h2>
        <UrlList {...list} title="hreflang to a URL that cannot be indexed" items={versions}>
          Such a version is ignored.
        </UrlList>
        {data.head.leftOut.alternates > 0 && (
          <p class="aside">
            and {counted(data.head.leftOut.alternates, 'other one')} that there was no room for
          </p>
        )}
      </section>
      <section class="card">
        <h2>Slow pages</h2>
        <UrlList {...list} title="Took a second or more" items={slow}>
          The slowest first, as measured by this crawl. Slow answers make search engines crawl less.
        </UrlList>
      </section>
    </>
  );
}

function sameContent(
  data: ReportData,
  agent: number,
): { readonly soft: Listed[]; readonly groups: Listed[] } {
  const members = new Map<number, number[]>();
  for (let place = 0; place < data.count; place++) {
    const digest = data.digests[place] as number;
    if (digest === 0 || data.isBlocked(place, agent)) continue;
    const group = members.get(digest);
    if (group === undefined) members.set(digest, [place]);
    else group.push(place);
  }
  const [soft, groups]: [Listed[], Listed[]] = [[], []];
  for (const places of members.values()) {
    const isGone = places.some((place) => [404, 410].includes(data.statuses[place] as number));
    const fine = places.filter((place) => data.statuses[place] === 200);
    if (isGone) soft.push(...fine.map((place) => ({ place })));
    const indexable = fine.filter((place) => data.verdict(place, agent)?.[0] === 0);
    const [first, ...others] = indexable;
    if (isGone || first === undefined || others.length === 0) continue;
    groups.push({
      place: first,
      note: `and ${counted(others.length, 'other')}`,
      targets: others.slice(0, SHOWN),
    });
  }
  return { soft, groups };
}

function slowest(data: ReportData, agent: number): Listed[] {
  const slow: number[] = [];
  for (let place = 0; place < data.count; place++)
    if ((data.milliseconds[place] as number) >= SLOW && !data.isBlocked(place, agent)) slow.push(place);
  const time = (place: number): number => data.milliseconds[place] as number;
  return slow
    .sort((a, b) => time(b) - time(a))
    .map((place) => ({ place, note: `${(time(place) / 1000).toFixed(1)} s` }));
}

function badVersions(data: ReportData, agent: number): Listed[] {
  return data.head.alternates.flatMap(([place, hreflang, version]) => {
    const standing = standingOf(data.verdict(version, agent));
    if (standing === 'indexable' || standing === 'unjudged' || data.isBlocked(place, agent)) return [];
    return [{ place, note: `${hreflang}: ${wordOf(standing)}`, targets: [version] }];
  });
}
