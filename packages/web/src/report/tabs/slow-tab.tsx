// Slow pages, which have no kind of findings: what is slow depends on where the audit runs.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ReportData } from '../data/report-data.ts';
import { type ListItem, UrlList } from '../parts/url-list.tsx';
import { useReport } from '../report-context.ts';

/** Milliseconds of a slow response. */
const SLOW = 1_000;

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
