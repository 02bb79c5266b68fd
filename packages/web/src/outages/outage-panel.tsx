// The outage simulation: the policies under each profile over time, as a drawing and as text.

import { type OutageScenario, simulateOutage } from '@maycrawl/client/policy';
import { PROFILES, type Profile } from '@maycrawl/core';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Select, toChoices } from '../shared/fields/select.tsx';
import { OperatorSimulations } from './operator-simulations.tsx';
import { BEFORES, FIRST, MAX_DAYS, RESULTS, type ScenarioForm, toScenario } from './scenario.ts';
import { Simulation } from './simulation.tsx';

/** Shows a form for a scenario, and its simulation. @param profile - the profile in use. */
export function OutagePanel({ profile }: { readonly profile: string }): JSX.Element {
  const [form, setForm] = useState<ScenarioForm>(FIRST);
  const scenario = useMemo(() => toScenario(form), [form]);
  return (
    <>
      <ScenarioFields form={form} onChange={setForm} />
      <section aria-labelledby="policies">
        <h2 id="policies">Policy by profile</h2>
        {PROFILES.map((each) => (
          <ProfileSimulation
            key={each.name}
            profile={each}
            scenario={scenario}
            isInUse={each.name === profile}
          />
        ))}
        <p class="aside">
          For a client that fetches robots.txt whenever that is due. The time axis has a square root scale, so
          that hours can be seen beside weeks. The dashed line is the end of the outage.
        </p>
      </section>
      <section aria-labelledby="operator-policies">
        <h2 id="operator-policies">Policy by operator, as documented</h2>
        <OperatorSimulations scenario={scenario} />
      </section>
    </>
  );
}

interface ScenarioFieldsProps {
  readonly form: ScenarioForm;
  readonly onChange: (form: ScenarioForm) => void;
}

function ScenarioFields({ form, onChange }: ScenarioFieldsProps): JSX.Element {
  const { result, count, unit, before, isSiteReachable } = form;
  return (
    <fieldset class="scenario">
      <legend class="unseen">Scenario</legend>
      <Select
        label="The result of fetching robots.txt is"
        value={result}
        choices={toChoices([...RESULTS.keys()])}
        onChoose={(chosen) => onChange({ ...form, result: chosen })}
      />
      <span class="lasting">
        <label>
          for
          <input
            type="number"
            min="1"
            max={MAX_DAYS}
            value={count}
            onInput={({ currentTarget }) => onChange({ ...form, count: currentTarget.valueAsNumber })}
          />
        </label>
        <Select
          isLabelHidden
          label="Unit of time"
          value={unit}
          choices={toChoices(['hours', 'days'] as const)}
          onChoose={(chosen) => onChange({ ...form, unit: chosen })}
        />
      </span>
      <Select
        label="The response before it was"
        value={before}
        choices={toChoices([...BEFORES.keys()])}
        onChoose={(chosen) => onChange({ ...form, before: chosen })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isSiteReachable}
          onChange={({ currentTarget }) => onChange({ ...form, isSiteReachable: currentTarget.checked })}
        />
        other pages of the site can be fetched
      </label>
    </fieldset>
  );
}

interface ProfileSimulationProps {
  readonly profile: Profile;
  readonly scenario: Omit<OutageScenario, 'profile'>;
  readonly isInUse: boolean;
}

function ProfileSimulation({ profile, scenario, isInUse }: ProfileSimulationProps): JSX.Element {
  // Memoised: it simulates thousands of fetches, and the panel is rendered for each key in the editor.
  const intervals = useMemo(() => simulateOutage({ ...scenario, profile }), [scenario, profile]);
  const caption = (
    <>
      <b>{profile.name}</b>
      {isInUse && <span class="tag">in use</span>}
    </>
  );
  return <Simulation caption={caption} intervals={intervals} scenario={scenario} isInUse={isInUse} />;
}
