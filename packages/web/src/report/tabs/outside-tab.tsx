// URLs out of the scope of the audit, by host: the audit knows only that pages link to them.
import { parseUrl } from '@maycrawl/core/url';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { ReportData } from '../data/report-data.ts';
import { type ListItem, UrlList, useMore } from '../parts/url-list.tsx';
import { useReport } from '../report-context.ts';
import { describeLinkCount } from '../text.ts';

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
