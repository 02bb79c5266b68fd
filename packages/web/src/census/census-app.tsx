/**
 * The report of a census: one page of sections, with a list of contents.
 *
 * @module
 */
import type { CensusSections } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Select } from '../shared/fields/select.tsx';
import { useFragment } from '../shared/fragment.ts';
import { formatNumber } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';
import type { Base } from './data/shares.ts';
import { formatView, hasSection, parseView, SECTIONS, type View } from './data/view.ts';
import { ExamplesProvider } from './parts/examples.tsx';
import { AccessSection } from './sections/access-section.tsx';
import { BlockedSection } from './sections/blocked-section.tsx';
import { CapturesSection } from './sections/captures-section.tsx';
import { ChangesSection } from './sections/changes-section.tsx';
import { MatrixSection } from './sections/matrix-section.tsx';
import { MethodsSection } from './sections/methods-section.tsx';
import { ReadingsSection } from './sections/readings-section.tsx';
import { SoftwareSection } from './sections/software-section.tsx';
import { RankSection, TldSection } from './sections/strata-sections.tsx';
import { TimeSection } from './sections/time-section.tsx';
import { UseSection } from './sections/use-section.tsx';
import { WeightSection } from './sections/weight-section.tsx';
import { BASE_LABELS, formatSpan } from './text.ts';

/** Shows the report. */
export function CensusApp({ data, maxExamples }: CensusSections['census']): JSX.Element {
  const format = useMemo(
    () => ({
      parse: (fragment: string) => parseView(data, fragment),
      format: (view: View) => formatView(data, view),
    }),
    [data],
  );
  const [view, setView] = useFragment(format);
  const last = data.crawls.at(-1);
  useEffect(() => {
    if (view.section === '') return;
    const title = document.getElementById(`${view.section}-title`);
    title?.scrollIntoView();
    title?.focus({ preventScroll: true });
  }, [view.section]);
  const props = { data, view, onChange: (part: Partial<View>) => setView({ ...view, ...part }, 'replace') };
  const has = (name: (typeof SECTIONS)[number][0]): boolean => hasSection(data, name);
  return (
    <ExamplesProvider>
      <header class="top">
        <h1>
          Census <span>{visible(data.title, 120)}</span>
        </h1>
        <Select
          class="bar"
          label="Shares of"
          value={view.base}
          choices={Object.entries(BASE_LABELS) as [Base, string][]}
          onChoose={(base) => props.onChange({ base })}
        />
      </header>
      <main class="census">
        <nav aria-label="Contents">
          <ul>
            {SECTIONS.filter(([name]) => has(name)).map(([name, title]) => (
              <li key={name}>
                <a href={formatView(data, { ...view, section: name })}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="sections">
          <p class="intro">
            What the robots.txt files of {formatNumber(last?.sites ?? 0)} sites allow{' '}
            {formatNumber(data.agents.length)} {data.agents.length === 1 ? 'agent' : 'agents'}
            {last !== undefined && last.from !== null && `, captured ${formatSpan(last.from, last.to)}`}.
            Every number of sites in a chart opens examples.
          </p>
          <BlockedSection {...props} />
          <AccessSection {...props} />
          {has('time') && <TimeSection {...props} />}
          {has('changes') && <ChangesSection {...props} />}
          {has('ranks') && <RankSection {...props} />}
          {has('weights') && <WeightSection {...props} />}
          {has('tlds') && <TldSection {...props} />}
          {has('matrix') && <MatrixSection {...props} />}
          {has('use') && <UseSection {...props} />}
          {has('software') && <SoftwareSection {...props} />}
          {has('readings') && <ReadingsSection {...props} />}
          <CapturesSection {...props} />
          <MethodsSection {...props} maxExamples={maxExamples} />
        </div>
      </main>
      <footer class="bottom">
        Created by maycrawl {visible(data.maycrawl, 60)}. This file is self-contained and sends no requests.
      </footer>
    </ExamplesProvider>
  );
}
