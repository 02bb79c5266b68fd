/**
 * What if the site answers so for so long? What holds when, in each profile: drawn, and in words.
 *
 * @module
 */

import { foresee, type Spell, type Supposition } from '@maycrawl/client/outage-simulation';
import { PROFILES, type Profile } from '@maycrawl/core';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { inWords } from './duration.ts';
import { ANSWERS, BEFORES, FIRST, MAX_DAYS, type Supposed, suppositionOf } from './supposing.ts';
import { Timeline } from './timeline.tsx';

/** Lets something be supposed, and shows what follows. `profile` is the one that is in use. */
export function OutagePanel({ profile }: { readonly profile: string }): JSX.Element {
  const [supposed, setSupposed] = useState<Supposed>(FIRST);
  const supposition = useMemo(() => suppositionOf(supposed), [supposed]);
  return (
    <>
      <SupposingForm supposed={supposed} onChange={setSupposed} />
      <section aria-labelledby="holds">
        <h2 id="holds">What holds, by profile</h2>
        {PROFILES.map((each) => (
          <Outlook key={each.name} profile={each} supposition={supposition} isInUse={each.name === profile} />
        ))}
        <p class="aside">
          A client that asks again whenever it is time. The scale is drawn by square roots, so that hours can
          be seen beside weeks; the dashed line is when the site is well again.
        </p>
      </section>
    </>
  );
}

interface SupposingFormProps {
  readonly supposed: Supposed;
  readonly onChange: (supposed: Supposed) => void;
}

function SupposingForm({ supposed, onChange }: SupposingFormProps): JSX.Element {
  const { answer, count, unit, before, isSiteReachable } = supposed;
  return (
    <fieldset class="supposing">
      <legend class="unseen">What is supposed</legend>
      <Choice
        label="Suppose the request for robots.txt is answered with"
        value={answer}
        options={ANSWERS}
        onChoose={(chosen) => onChange({ ...supposed, answer: chosen })}
      />
      <span class="lasting">
        <label>
          for
          <input
            type="number"
            min="1"
            max={MAX_DAYS}
            value={count}
            onInput={({ currentTarget }) => onChange({ ...supposed, count: currentTarget.valueAsNumber })}
          />
        </label>
        <label>
          <span class="unseen">Unit of time</span>
          <select
            value={unit}
            onChange={({ currentTarget }) =>
              onChange({ ...supposed, unit: currentTarget.value === 'days' ? 'days' : 'hours' })
            }
          >
            <option value="hours">hours</option>
            <option value="days">days</option>
          </select>
        </label>
      </span>
      <Choice
        label="and before it there was"
        value={before}
        options={BEFORES}
        onChoose={(chosen) => onChange({ ...supposed, before: chosen })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isSiteReachable}
          onChange={({ currentTarget }) => onChange({ ...supposed, isSiteReachable: currentTarget.checked })}
        />
        other pages of the site can be fetched
      </label>
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: ReadonlyMap<string, unknown>;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps): JSX.Element {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {[...options.keys()].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface OutlookProps {
  readonly profile: Profile;
  readonly supposition: Omit<Supposition, 'profile'>;
  readonly isInUse: boolean;
}

function Outlook({ profile, supposition, isInUse }: OutlookProps): JSX.Element {
  const { until, lasts } = supposition;
  // Thousands of questions are asked for it; not again with every letter that is typed in the editor.
  const spells = useMemo(() => foresee({ ...supposition, profile }), [supposition, profile]);
  return (
    <figure class={isInUse ? 'outlook in-use' : 'outlook'}>
      <figcaption>
        <b>{profile.name}</b>
        {isInUse && <span class="tag">in use</span>}
      </figcaption>
      <Timeline spells={spells} until={until} lasts={lasts} />
      <ol>
        {spells.map((spell) => (
          <li key={spell.from}>
            <span class="when">{spell.from === 0 ? 'at once' : `after ${inWords(spell.from)}`}</span>{' '}
            {holding(spell)}
          </li>
        ))}
      </ol>
    </figure>
  );
}

/** What holds, as a sentence. */
function holding({ use, isFresh }: Spell): string {
  switch (use) {
    case 'rules':
      return isFresh ? 'the file holds' : 'the last good file holds again, though the site still fails';
    case 'absent':
      return isFresh
        ? 'there is no robots.txt: everything may be fetched'
        : 'as before, without a robots.txt: everything may be fetched';
    case 'unreachable':
      return 'nothing may be fetched';
    case 'outage-expired':
      return 'everything may be fetched: it has failed for so long';
  }
}
