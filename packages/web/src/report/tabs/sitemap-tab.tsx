// The sitemaps, and what differs between them and the crawl.
import type { FindingCode } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { ReportData } from '../data/report-data.ts';
import { FindingItem } from '../parts/finding-item.tsx';
import { type ListItem, UrlList } from '../parts/url-list.tsx';
import { useReport } from '../report-context.ts';
import { INCOMPLETE, STATE_LABELS } from '../text.ts';

/** The kinds of findings that compare sitemaps with the crawl. */
const SITEMAP_CODES: readonly FindingCode[] = ['listed-not-indexable', 'not-listed', 'orphan'];
/** The kinds that are about the files themselves. */
const FILE_CODES: readonly FindingCode[] = [
  ...(['sitemap-not-fetched', 'sitemap-invalid', 'sitemap-damaged', 'sitemap-too-large'] as const),
  ...(['sitemap-empty', 'sitemap-other-host', 'sitemap-invalid-entries'] as const),
];

export function SitemapTab(): JSX.Element {
  const { data, agent } = useReport();
  const { head } = data;
  const unjudged = useMemo(() => findUnjudged(data, agent), [data, agent]);
  const isComplete = head.end?.reason === 'complete';
  const all = head.agents[agent]?.findings ?? [];
  const findings = all.filter(({ code }) => SITEMAP_CODES.includes(code));
  return (
    <>
      <section class="card">
        <h2>Sitemaps</h2>
        {!head.settings.sitemaps && <p>This run did not read sitemaps.</p>}
        {head.settings.sitemaps && head.sitemaps.length === 0 && <p>No sitemap was found.</p>}
        {head.sitemaps.length > 0 && (
          <div class="scroll">
            <DataTable
              rows={head.sitemaps}
              getKey={({ id }) => id}
              columns={[
                { title: 'Sitemap', getCell: ({ url }) => <code>{visible(url)}</code> },
                { title: 'Found in', getCell: ({ foundIn }) => visible(foundIn) },
                {
                  title: 'Entries',
                  kind: 'number',
                  getCell: ({ entries }) => (entries === null ? 'not read' : formatNumber(entries)),
                },
                {
                  title: 'Problem',
                  getCell: ({ problem }) => (problem === null ? 'none' : visible(problem)),
                  getClass: ({ problem }) => (problem === null ? '' : 'problem'),
                },
              ]}
            />
          </div>
        )}
        {all
          .filter(({ code }) => FILE_CODES.includes(code))
          .map((finding) => (
            <FindingItem key={finding.code} finding={finding} />
          ))}
        {head.omitted.sitemaps > 0 && (
          <p class="aside">and {formatCount(head.omitted.sitemaps, 'other sitemap')}</p>
        )}
      </section>
      <section class="card">
        <h2>Sitemaps and crawl</h2>
        {findings.length === 0 && <p>No findings about sitemaps for this crawler.</p>}
        {findings.map((finding) => (
          <FindingItem key={finding.code} finding={finding} />
        ))}
        {!isComplete && <p class="aside">{INCOMPLETE}</p>}
        {head.sitemaps.some(({ entries, problem }) => entries === null || problem !== null) && (
          <p class="aside">Some sitemaps could not be read completely. They may list further URLs.</p>
        )}
        <UrlList title="Listed in a sitemap, but not judged" items={unjudged}>
          Out of scope, omitted, or not reached by the crawl.
        </UrlList>
      </section>
    </>
  );
}

function findUnjudged(data: ReportData, agent: number): ListItem[] {
  const found: ListItem[] = [];
  for (let index = 0; index < data.count; index++)
    if (data.isInSitemap(index) && data.getVerdict(index, agent) === null)
      found.push({ index, note: STATE_LABELS[data.getState(index)] });
  return found;
}
