/**
 * Versions in other languages that cannot be indexed, and slow pages.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatOmitted } from '../../shared/text.ts';
import { getOutcome } from '../data/outcome.ts';
import type { ReportData } from '../data/report-data.ts';
import { type ListItem, UrlList } from '../parts/url-list.tsx';
import { OUTCOME_LABELS } from '../text.ts';
import type { TabProps } from './sitemap-tab.tsx';

/** Milliseconds of a slow response. */
const SLOW = 1_000;

/** Shows the lists. */
export function ContentTab({ data, agent, onOpen }: TabProps): JSX.Element {
  const slow = useMemo(() => findSlow(data, agent), [data, agent]);
  const versions = useMemo(() => findBadVersions(data, agent), [data, agent]);
  const list = { data, onOpen };
  return (
    <>
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
