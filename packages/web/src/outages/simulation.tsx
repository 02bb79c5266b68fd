// The result of a simulation: a drawing, and the same as text.
import { describeEffect, type OutageScenario, type PolicyInterval } from '@maycrawl/client/policy';
import { describePolicy } from '@maycrawl/core';
import { formatDuration } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { Timeline } from './timeline.tsx';

interface SimulationProps {
  readonly caption: ComponentChildren;
  readonly intervals: readonly PolicyInterval[];
  readonly scenario: Pick<OutageScenario, 'until' | 'lasts'>;
  readonly isInUse?: boolean;
}

export function Simulation({ caption, intervals, scenario, isInUse = false }: SimulationProps): JSX.Element {
  return (
    <figure class={isInUse ? 'simulation in-use' : 'simulation'}>
      <figcaption>{caption}</figcaption>
      <Timeline intervals={intervals} until={scenario.until} lasts={scenario.lasts} />
      <ol>
        {intervals.map((interval) => (
          <li key={interval.from}>
            <span class="when">
              {interval.from === 0 ? 'At first:' : `After ${formatDuration(interval.from)}:`}
            </span>{' '}
            {describeInterval(interval)}
          </li>
        ))}
      </ol>
    </figure>
  );
}

function describeInterval({ policy, isFresh }: PolicyInterval): string {
  return isFresh ? describePolicy(policy) : `${describeEffect(policy)}.`;
}
