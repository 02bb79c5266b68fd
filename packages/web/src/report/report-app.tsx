// The report: the chosen crawler, tab, filter and URL.
import { parseUrl } from '@maycrawl/core/url';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Select } from '../shared/fields/select.tsx';
import { useFragment } from '../shared/fragment.ts';
import { Tabs } from '../shared/tabs.tsx';
import { visible } from '../shared/visible.ts';
import { DEFAULT_FILTER, type Filter } from './data/filter.ts';
import type { ReportData } from './data/report-data.ts';
import { formatView, listTabs, parseView, type View } from './data/view.ts';
import { ReportContext } from './report-context.ts';
import { FindingsTab } from './tabs/findings-tab.tsx';
import { OmittedTab, OutsideTab, SlowTab } from './tabs/list-tabs.tsx';
import { SegmentsTab } from './tabs/segments-tab.tsx';
import { SitemapTab } from './tabs/sitemap-tab.tsx';
import { SummaryTab } from './tabs/summary-tab.tsx';
import { UrlsTab } from './tabs/urls-tab.tsx';
import { UseTab } from './tabs/use-tab.tsx';

export function ReportApp({ data }: { readonly data: ReportData }): JSX.Element {
  const format = useMemo(
    () => ({
      parse: (fragment: string) => parseView(data, fragment),
      format: (view: View) => formatView(data, view),
    }),
    [data],
  );
  const [view, setView] = useFragment(format);
  const { tab, agent, finding, filter, sorting, selected } = view;
  const { head } = data;
  const change = (part: Partial<View>, mode: 'push' | 'replace' = 'push'): void =>
    setView({ ...view, ...part }, mode);
  const report = {
    ...{ data, agent },
    onOpen: (index: number) => change({ tab: 'urls', filter: DEFAULT_FILTER, selected: index }),
    onFilter: (chosen: Filter) => change({ tab: 'urls', filter: chosen, selected: null }),
  };
  return (
    <ReportContext.Provider value={report}>
      <header class="top">
        <h1>
          Audit <span>{visible(getHost(head.settings.starts[0] ?? head.name), 80)}</span>
        </h1>
        {head.agents.length > 1 ? (
          <Select
            class="bar"
            label="Crawler"
            value={agent}
            choices={head.agents.map(({ agent: name }, index) => [index, visible(name, 60)])}
            onChoose={(index) => change({ agent: index })}
          />
        ) : (
          <span>for {visible(head.agents[0]?.agent ?? '', 60)}</span>
        )}
      </header>
      <main class="report">
        <Tabs
          label="Parts of the report"
          tabs={listTabs(data)}
          current={tab}
          onChoose={(name) => change({ tab: name })}
        >
          {tab === 'findings' && (
            <FindingsTab chosen={finding} onChoose={(code) => change({ finding: code }, 'replace')} />
          )}
          {tab === 'summary' && <SummaryTab />}
          {tab === 'urls' && (
            <UrlsTab
              {...{ filter, sorting, selected }}
              onFilter={(next) => change({ filter: next }, next.text === filter.text ? 'push' : 'replace')}
              onSort={(next) => change({ sorting: next }, 'replace')}
              onSelect={(index) => change({ selected: index }, selected === null ? 'push' : 'replace')}
            />
          )}
          {tab === 'use' && (
            <UseTab
              onChoose={(chosen, use) =>
                change({ tab: 'urls', agent: chosen, filter: { ...DEFAULT_FILTER, use }, selected: null })
              }
            />
          )}
          {tab === 'segments' && <SegmentsTab />}
          {tab === 'sitemaps' && <SitemapTab />}
          {tab === 'slow' && <SlowTab />}
          {tab === 'omitted' && <OmittedTab />}
          {tab === 'outside' && <OutsideTab />}
        </Tabs>
      </main>
      <footer class="bottom">
        Created by maycrawl from {visible(head.name, 120)}. This file is self-contained and sends no requests.
      </footer>
    </ReportContext.Provider>
  );
}

function getHost(url: string): string {
  return parseUrl(url)?.host ?? url;
}
