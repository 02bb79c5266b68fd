// The dialog "Keep search, refuse training": what the owner wishes, the edit of the file that declares it, and what was proved.
import { WRITABLE_FORMATS, type WritableFormat } from '@maycrawl/core/preferences';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { copy, download } from '../../shared/files.tsx';
import { visible } from '../../shared/visible.ts';
import type { FileInput } from '../judging/messages.ts';
import type { PreferencePlan } from '../judging/plan-preferences.ts';
import { usePreferencePlan } from '../judging/use-preferences.ts';
import { PURPOSES, type Purpose } from '../state/selected-preference.ts';
import { EditList } from './edit-list.tsx';
import { getPurposeTitle } from './texts.ts';
import { useRefusalReach } from './use-refusal-reach.ts';
import {
  CHOICE_LABELS,
  describeLimit,
  describeProof,
  FIRST_CHOICES,
  FORMAT_TEXTS,
  PURPOSE_HINTS,
  toWishes,
  type WishChoice,
  type WishChoices,
} from './wishes.ts';

interface WishesDialogProps {
  readonly file: FileInput;
  readonly text: string;
  /** The present tdmrep.json; empty if it does not exist. */
  readonly tdmrep: string;
  /** Called with the new file. */
  readonly onFile: (bytes: Uint8Array) => void;
  readonly onClose: () => void;
}

export function WishesDialog({ file, text, tdmrep, onFile, onClose }: WishesDialogProps): JSX.Element {
  const [choices, setChoices] = useState(FIRST_CHOICES);
  const [status, setStatus] = useState('');
  const wishes = useMemo(() => toWishes(choices, tdmrep), [choices, tdmrep]);
  const isComplete = typeof wishes !== 'string';
  const plan = usePreferencePlan(file, isComplete ? wishes : null);
  const reach = useRefusalReach(plan, isComplete ? wishes : null, file);
  const isChange = plan?.kind === 'set' && plan.editCount > 0;
  const newText = plan?.kind === 'set' ? plan.text : null;
  const onCopy = async (copied: string): Promise<void> =>
    setStatus((await copy(copied)) ? 'Copied.' : 'The browser does not allow the page to copy.');
  return (
    <Dialog title="Keep search, refuse training" onClose={onClose}>
      <p>Choose what your site should declare. The lines are written into the file in the editor.</p>
      <Wishes choices={choices} onChange={setChoices} />
      <Formats choices={choices} onChange={setChoices} />
      <div role="status" aria-busy={isComplete && plan === null}>
        {!isComplete && <p class="problem">{wishes}</p>}
        {isComplete && plan === null && <p>Computing the edit and its proof…</p>}
        {plan?.kind === 'refused' && (
          <p class="problem">The file was not changed: {visible(plan.message, 500)}.</p>
        )}
        {plan?.kind === 'set' && <p class="conclusion same">{describeProof(plan)}</p>}
      </div>
      {plan?.kind === 'set' && <EditList text={text} edits={plan.edits} total={plan.editCount} />}
      {plan?.kind === 'set' && plan.tdmrep !== null && <TdmRep text={plan.tdmrep} onCopy={onCopy} />}
      {isChange && newText === null && (
        <p class="aside">
          The file is not UTF-8, so it cannot be copied as text: put it into the editor and download it.
        </p>
      )}
      {plan !== null && <Limits plan={plan} reach={reach} />}
      <div class="dialog-foot">
        <span role="status">{status}</span>
        <button
          type="button"
          disabled={!isChange || newText === null}
          onClick={() => newText !== null && void onCopy(newText)}
        >
          Copy the new file
        </button>
        <button
          type="button"
          class="primary"
          disabled={!isChange}
          onClick={() => {
            if (plan?.kind !== 'set') return;
            onFile(plan.bytes);
            onClose();
          }}
        >
          Put into the editor
        </button>
      </div>
    </Dialog>
  );
}

interface ChoicesProps {
  readonly choices: WishChoices;
  readonly onChange: (choices: WishChoices) => void;
}

function Wishes({ choices, onChange }: ChoicesProps): JSX.Element {
  const choose = (purpose: Purpose, choice: WishChoice): void =>
    onChange({ ...choices, purposes: { ...choices.purposes, [purpose]: choice } });
  return (
    <div class="wishes">
      {PURPOSES.map((purpose) => (
        <fieldset key={purpose}>
          <legend>{getPurposeTitle(purpose)}</legend>
          <small>{PURPOSE_HINTS[purpose]}</small>
          {(Object.keys(CHOICE_LABELS) as WishChoice[]).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name={`wish-${purpose}`}
                checked={choices.purposes[purpose] === choice}
                onChange={() => choose(purpose, choice)}
              />
              {CHOICE_LABELS[choice]}
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

function Formats({ choices, onChange }: ChoicesProps): JSX.Element {
  const toggle = (format: WritableFormat): void => {
    const isChosen = choices.formats.includes(format);
    onChange({
      ...choices,
      formats: WRITABLE_FORMATS.filter((each) =>
        each === format ? !isChosen : choices.formats.includes(each),
      ),
    });
  };
  return (
    <fieldset class="formats">
      <legend>Formats</legend>
      {WRITABLE_FORMATS.map((format) => (
        <label key={format}>
          <input type="checkbox" checked={choices.formats.includes(format)} onChange={() => toggle(format)} />
          <span>
            {FORMAT_TEXTS[format].title}
            <small>{FORMAT_TEXTS[format].hint}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface LimitsProps {
  readonly plan: PreferencePlan;
  /** How far the refusal reaches, in sentences. */
  readonly reach: readonly string[];
}

function Limits({ plan: { limits }, reach }: LimitsProps): JSX.Element {
  return (
    <section aria-labelledby="wish-limits" class="wish-limits">
      <h3 id="wish-limits">What this cannot do</h3>
      <ul class="readings">
        {reach.map((sentence) => (
          <li key={sentence}>{visible(sentence, 1_000)}</li>
        ))}
        {limits.map((limit) => (
          <li key={limit.message}>{visible(describeLimit(limit), 500)}</li>
        ))}
      </ul>
    </section>
  );
}

function TdmRep({
  text,
  onCopy,
}: {
  readonly text: string;
  readonly onCopy: (text: string) => Promise<void>;
}): JSX.Element {
  return (
    <section aria-labelledby="wish-tdmrep" class="wish-tdmrep">
      <h3 id="wish-tdmrep">/.well-known/tdmrep.json</h3>
      <p>Upload this as a separate file.</p>
      <textarea readOnly rows={5} aria-labelledby="wish-tdmrep" value={text} />
      <p>
        <button type="button" class="small" onClick={() => void onCopy(text)}>
          Copy tdmrep.json
        </button>{' '}
        <button type="button" class="small" onClick={() => download('tdmrep.json', text)}>
          Download tdmrep.json
        </button>
      </p>
    </section>
  );
}
