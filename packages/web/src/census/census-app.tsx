// The report of a census: one page of sections, with a list of contents.
import type { CensusSections } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Select } from '../shared/fields/select.tsx';
import { useFragment } from '../shared/fragment.ts';
import { showSection } from '../shared/section.tsx';
import { formatNumber, formatSpan } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';
import type { Base } from './data/shares.ts';
import { formatView, listSections, parseView, SECTIONS, type SectionName, type View } from './data/view.ts';
import { ExamplesProvider } from './parts/examples.tsx';
import type { SectionProps } from './parts/section.tsx';
import { AccessSection } from './sections/access-section.tsx';
import { BlockedSection } from './sections/blocked-section.tsx';
import { CapturesSection } from './sections/captures-section.tsx';
import { ChangesSection } from './sections/changes-section.tsx';
import { MatrixSection } from './sections/matrix-section.tsx';
import { MethodsSection } from './sections/methods-section.tsx';
import { NamedSection } from './sections/named-section.tsx';
import { ReadingsSection } from './sections/readings-section.tsx';
import { SoftwareSection } from './sections/software-section.tsx';
import { CategorySection, RankSection, TldSection } from './sections/strata-sections.tsx';
import { TimeSection } from './sections/time-section.tsx';
import { UseSection } from './sections/use-section.tsx';
import { WeightSection } from './sections/weight-section.tsx';
import { BASE_LABELS } from './text.ts';

const COMPONENTS: Readonly<
  Record<SectionName, (props: SectionProps & { readonly maxExamples: number }) => JSX.Element | null>
> = {
  blocked: BlockedSection,
  access: AccessSection,
  time: TimeSection,
  changes: ChangesSection,
  ranks: RankSection,
  weights: WeightSection,
  categories: CategorySection,
  tlds: TldSection,
  matrix: MatrixSection,
  use: UseSection,
  named: NamedSection,
  software: SoftwareSection,
  readings: ReadingsSection,
  captures: CapturesSection,
  methods: MethodsSection,
};

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
    if (view.section !== '') showSection(view.section);
  }, [view.section]);
  const props = { data, view, onChange: (part: Partial<View>) => setView({ ...view, ...part }, 'replace') };
  const sections = listSections(data);
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
      <main class="sectioned census">
        <nav aria-label="Contents">
          <ul>
            {sections.map((name) => (
              <li key={name}>
                <a href={formatView(data, { ...view, section: name })}>{SECTIONS[name].title}</a>
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
          {sections.map((name) => {
            const Shown = COMPONENTS[name];
            return <Shown key={name} {...props} maxExamples={maxExamples} />;
          })}
        </div>
      </main>
      <footer class="bottom">
        Created by maycrawl {visible(data.maycrawl, 60)}. This file is self-contained and sends no requests.
      </footer>
    </ExamplesProvider>
  );
}
