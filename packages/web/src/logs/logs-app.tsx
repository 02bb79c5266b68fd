// The report of logs: one page of sections, with a list of contents and a filter of crawlers.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { TextField } from '../shared/fields/text-field.tsx';
import { useFragment } from '../shared/fragment.ts';
import { showSection } from '../shared/section.tsx';
import { formatCount, formatNumber } from '../shared/text.ts';
import { filterCrawlers } from './data/crawler-list.ts';
import type { LogData } from './data/log-data.ts';
import { formatView, listSections, parseView, SECTIONS, type SectionName, type View } from './data/view.ts';
import { getCrawlerId } from './parts/crawler-table.tsx';
import { Intro } from './parts/intro.tsx';
import type { SectionProps } from './parts/props.ts';
import { AuditSection } from './sections/audit-section.tsx';
import { CrawlersSection } from './sections/crawlers-section.tsx';
import { FindingsSection } from './sections/findings-section.tsx';
import { MeaningSection } from './sections/meaning-section.tsx';
import { RulesSection } from './sections/rules-section.tsx';
import { WhatIfSection } from './sections/what-if-section.tsx';
import { formatSite } from './text.ts';

const COMPONENTS: Readonly<Record<SectionName, (props: SectionProps) => JSX.Element | null>> = {
  findings: FindingsSection,
  crawlers: CrawlersSection,
  rules: RulesSection,
  'what-if': WhatIfSection,
  audit: AuditSection,
  meaning: MeaningSection,
};

/** Shows the report. */
export function LogsApp({ data }: { readonly data: LogData }): JSX.Element {
  const format = useMemo(
    () => ({ parse: (fragment: string) => parseView(data, fragment), format: formatView }),
    [data],
  );
  const [view, setView] = useFragment(format);
  const crawlers = useMemo(() => filterCrawlers(data.crawlers, view.text), [data, view.text]);
  /** The crawler to scroll to, when its row is rendered. */
  const target = useRef<string | null>(null);
  useEffect(() => {
    if (view.section !== '') showSection(view.section);
  }, [view.section]);
  useEffect(() => {
    const index = data.crawlers.findIndex(({ crawler }) => crawler === target.current);
    target.current = null;
    const button = document.getElementById(getCrawlerId(index));
    button?.scrollIntoView({ block: 'center' });
    button?.focus({ preventScroll: true });
  }, [view.open]);
  const change = (part: Partial<View>): void => setView({ ...view, ...part }, 'replace');
  const [site = '', ...others] = data.log.sites;
  const props: SectionProps = {
    ...{ data, view, crawlers, onChange: change },
    onShow: (crawler) => {
      target.current = crawler;
      // A new list, so that the page scrolls also to a crawler that is open.
      change({ open: [...view.open.filter((each) => each !== crawler), crawler] });
    },
  };
  const sections = listSections(data);
  return (
    <>
      <header class="top">
        <h1>
          Access log{' '}
          <span>
            {formatSite(site)}
            {others.length > 0 && ` and ${formatCount(others.length, 'other site')}`}
          </span>
        </h1>
        <search class="bar" aria-label="Filter">
          <TextField
            isInRow
            label="Filter by crawler or operator"
            placeholder="Filter by crawler or operator"
            value={view.text}
            onValue={(text) => change({ text })}
          />
          <span role="status">
            {formatNumber(crawlers.length)} of {formatCount(data.crawlers.length, 'crawler')}
          </span>
        </search>
      </header>
      <main class="sectioned logs">
        <nav aria-label="Contents">
          <ul>
            {sections.map((name) => (
              <li key={name}>
                <a href={formatView({ ...view, section: name })}>{SECTIONS[name]}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="sections">
          <Intro data={data} />
          {sections.map((name) => {
            const Shown = COMPONENTS[name];
            return <Shown key={name} {...props} />;
          })}
        </div>
      </main>
      <footer class="bottom">Created by maycrawl. This file is self-contained and sends no requests.</footer>
    </>
  );
}
