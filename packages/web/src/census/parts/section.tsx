// A section of the report: what it receives, its title and finding, and the choice of an agent.
import type { CensusReportData } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { Select } from '../../shared/fields/select.tsx';
import { TitledSection } from '../../shared/section.tsx';
import { SECTIONS, type SectionName, type View } from '../data/view.ts';
import { formatAgent } from '../text.ts';

/** The data, and what is chosen. */
export interface SectionProps {
  readonly data: CensusReportData;
  readonly view: View;
  readonly onChange: (part: Partial<View>) => void;
}

interface CardProps {
  readonly name: SectionName;
  /** What the chart shows, in a sentence with numbers. */
  readonly finding?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section(props: CardProps): JSX.Element {
  return <TitledSection {...props} title={SECTIONS[props.name].title} />;
}

export function AgentSelect({ data, view, onChange }: SectionProps): JSX.Element {
  return (
    <Select
      label="Agent"
      value={view.agent}
      choices={data.agents.map((_, agent) => [agent, formatAgent(data, agent)])}
      onChoose={(agent) => onChange({ agent })}
    />
  );
}
