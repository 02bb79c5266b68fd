/**
 * The report: the chosen crawler, tab, filter and URL.
 *
 * @module
 */
import { parseUrl } from '@maycrawl/core/url';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Tabs } from '../shared/tabs.tsx';
import { visible } from '../shared/visible.ts';
import { ALL, type Filter, type Sorting } from './data/filter.ts';
import type { ReportData } from './data/report-data.ts';
import { ContentTab } from './tabs/content-tab.tsx';
import { LinksTab } from './tabs/links-tab.tsx';
import { OmittedTab } from './tabs/omitted-tab.tsx';
import { SitemapTab } from './tabs/sitemap-tab.tsx';
import { SummaryTab } from './tabs/summary-tab.tsx';
import { UrlsTab } from './tabs/urls-tab.tsx';

const TABS = [
  ['summary', 'Summary'],
  ['urls', 'URLs'],
  ['sitemaps', 'Sitemaps'],
  ['links', 'Redirects and canonicals'],
  ['content', 'Content'],
  ['omitted', 'Omitted'],
] as const;
type TabName = (typeof TABS)[number][0];

/** Shows the report. */
export function ReportApp({ data }: { readonly data: ReportData }): JSX.Element {
  const [tab, setTab] = useState<TabName>('summary');
  const [agent, setAgent] = useState(0);
  const [filter, setFilter] = useState<Filter>(ALL);
  const [sorting, setSorting] = useState<Sorting>({ column: 'url', descending: false });
  const [selected, setSelected] = useState<number | null>(null);
  const { head } = data;

  const showUrls = (chosen: Filter): void => {
    setFilter(chosen);
    setSelected(null);
    setTab('urls');
  };
  const open = (index: number): void => {
    setFilter(ALL);
    setSelected(index);
    setTab('urls');
  };
  const part = { data, agent, onOpen: open };
  return (
    <>
      <header class="top">
        <h1>
          Audit <span>{visible(getHost(head.settings.starts[0] ?? head.name), 80)}</span>
        </h1>
        {head.agents.length > 1 ? (
          <label class="bar">
            Crawler
            <select value={agent} onChange={({ currentTarget }) => setAgent(Number(currentTarget.value))}>
              {head.agents.map(({ agent: name }, index) => (
                <option key={name} value={index} selected={index === agent}>
                  {visible(name, 60)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span>for {visible(head.agents[0]?.agent ?? '', 60)}</span>
        )}
      </header>
      <main class="report">
        <Tabs label="Parts of the report" tabs={TABS} current={tab} onChoose={setTab}>
          {tab === 'summary' && <SummaryTab data={data} agent={agent} onFilter={showUrls} />}
          {tab === 'urls' && (
            <UrlsTab
              {...{ data, agent, filter, sorting, selected }}
              onFilter={setFilter}
              onSort={setSorting}
              onSelect={setSelected}
            />
          )}
          {tab === 'sitemaps' && <SitemapTab {...part} />}
          {tab === 'links' && <LinksTab {...part} />}
          {tab === 'content' && <ContentTab {...part} />}
          {tab === 'omitted' && <OmittedTab {...part} />}
        </Tabs>
      </main>
      <footer class="bottom">
        Created by maycrawl from {visible(head.name, 120)}. This file is self-contained and sends no requests.
      </footer>
    </>
  );
}

function getHost(url: string): string {
  return parseUrl(url)?.host ?? url;
}
