/**
 * Controls that several sections have.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import type { SectionProps } from './props.ts';

/** Chooses the agent of the sections about one. */
export function AgentSelect({ data, view, onChange }: SectionProps): JSX.Element {
  return (
    <label>
      Agent{' '}
      <select
        value={view.agent}
        onChange={({ currentTarget }) => onChange({ agent: Number(currentTarget.value) })}
      >
        {data.agents.map(({ name }, index) => (
          <option key={name} value={index} selected={index === view.agent}>
            {visible(name, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}
