/**
 * Duplicate content, possible soft 404s, slow pages, and versions in other languages that cannot be indexed.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount, formatOmitted } from '../../shared/text.ts';
import type { ListItem } from '../data/chains.ts';
import { getOutcome } from '../data/outcome.ts';
import type { ReportData } from '../data/report-data.ts';
import { UrlList } from '../parts/url-list.tsx';
import { OUTCOME_LABELS } from '../text.ts';
import type { TabProps } from './sitemap-tab.tsx';

/** Milliseconds of a slow response. */
const SLOW = 1_000;
/** Further pages of a group that are shown. */
const SHOWN = 10;

/** Shows the lists. */
export function ContentTab({ data, agent, onOpen }: TabProps): JSX.Element {
  const { soft, groups } = useMemo(() => findDuplicates(data, agent), [data, agent]);
  const slow = useMemo(() => findSlow(data, agent), [data, agent]);
  const versions = useMemo(() => findBadVersions(data, agent), [data, agent]);
  const list = { data, onOpen };
  return (
    <>
      <section class="card">
        <h2>Duplicate content</h2>
        <UrlList {...list} title="Status 200 with the content of a page that was not found" items={soft}>
          Possible soft 404s: such a page should have status 404 or 410.
        </UrlList>
        <UrlList {...list} title="Indexable pages with identical content" items={groups}>
          Let all but one redirect to it, or name it as their canonical.
        </UrlList>
      </section>
      <section class="card">
        <h2>Other languages</h2>
        <UrlList {...list} title="hreflang to a URL that cannot be indexed" items={versions}>
          Search engines ignore such a version.
        </UrlList>
        {data.head.omitted.alternates > 0 && (
          <p class="aside">{formatOmitted(data.head.omitted.alternates, 'version')}</p>
        )}
      </section>
      <section class="card">
        <h2>Slow pages</h2>
        <UrlList {...list} title="Response time of a second or more" items={slow}>
          Slowest first, as measured by this crawl. Search engines crawl slow sites less.
        </UrlList>
      </section>
    </>
  );
}

function findDuplicates(
  data: ReportData,
  agent: number,
): { readonly soft: ListItem[]; readonly groups: ListItem[] } {
  const members = new Map<number, number[]>();
  for (let index = 0; index < data.count; index++) {
    const digest = data.digests[index] as number;
    if (digest === 0 || data.isBlocked(index, agent)) continue;
    const group = members.get(digest);
    if (group === undefined) members.set(digest, [index]);
    else group.push(index);
  }
  const [soft, groups]: [ListItem[], ListItem[]] = [[], []];
  for (const places of members.values()) {
    const isMissing = places.some((index) => [404, 410].includes(data.statuses[index] as number));
    const fine = places.filter((index) => data.statuses[index] === 200);
    if (isMissing) soft.push(...fine.map((index) => ({ index })));
    const indexable = fine.filter((index) => data.getVerdict(index, agent)?.[0] === 0);
    const [first, ...others] = indexable;
    if (isMissing || first === undefined || others.length === 0) continue;
    groups.push({
      index: first,
      note: `and ${formatCount(others.length, 'other')}`,
      targets: others.slice(0, SHOWN),
    });
  }
  return { soft, groups };
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

function findBadVersions(data: ReportData, agent: number): ListItem[] {
  return data.head.alternates.flatMap(([index, hreflang, version]) => {
    const outcome = getOutcome(data.getVerdict(version, agent));
    if (outcome === 'indexable' || outcome === 'unjudged' || data.isBlocked(index, agent)) return [];
    return [{ index, note: `${hreflang}: ${OUTCOME_LABELS[outcome]}`, targets: [version] }];
  });
}
