// The choice of the agent of the sections about one.
import type { JSX } from 'preact';
import { Select } from '../../shared/fields/select.tsx';
import { formatAgent } from '../text.ts';
import type { SectionProps } from './props.ts';

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
