/**
 * Controls of sections.
 *
 * @module
 */
import type { JSX } from 'preact';
import { formatAgent } from '../text.ts';
import type { SectionProps } from './props.ts';

interface ChoiceProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  /** Values with their texts. */
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}

/** Chooses one of several values. */
export function Choice<Value extends string | number>({
  label,
  value,
  choices,
  onChange,
}: ChoiceProps<Value>): JSX.Element {
  const choose = (index: number): void => {
    const choice = choices[index];
    if (choice !== undefined) onChange(choice[0]);
  };
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}>
        {choices.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Chooses the agent of the sections about one. */
export function AgentSelect({ data, view, onChange }: SectionProps): JSX.Element {
  return (
    <Choice
      label="Agent"
      value={view.agent}
      choices={data.agents.map((_, agent) => [agent, formatAgent(data, agent)])}
      onChange={(agent) => onChange({ agent })}
    />
  );
}
