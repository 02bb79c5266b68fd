// Adds a site, or changes its settings.
import { formatDuration, type WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { Select } from '../../shared/fields/select.tsx';
import { TextField } from '../../shared/fields/text-field.tsx';
import { INVALID_SITE, parseSite } from '../../shared/requests/service.ts';
import { visible } from '../../shared/visible.ts';
import { useWatchClient } from '../connection/watch-client.ts';
import { linkTo } from '../route.ts';
import { splitDuration, toMilliseconds } from '../text.ts';
import { SeverityFields } from './severity-fields.tsx';
import { type Target, TargetFields } from './target-fields.tsx';

/** The contents of the fields. */
interface FormState {
  readonly count: string;
  readonly unit: string;
  /** Milliseconds. */
  readonly confirm: number;
  readonly agents: string;
  readonly urls: string;
  readonly tests: string;
  readonly notify: readonly Target[];
  readonly severity: WatchJson<'Severities'>;
}

/** Milliseconds from a failure to the check that confirms it. */
const CONFIRM_TIMES = [0, 60_000, 120_000, 300_000, 900_000];

const INITIAL: FormState = {
  ...{
    count: '1',
    unit: 'hour',
    confirm: 120_000,
    agents: '',
    urls: '',
    tests: '',
    notify: [],
    severity: {},
  },
};

function toFormState({
  every,
  confirm,
  agents,
  urls,
  tests,
  notify,
  severity,
}: WatchJson<'EditableSettings'>): FormState {
  const { count, unit } = splitDuration(every);
  const texts = { agents: agents.join(', '), urls: urls ?? '', tests: tests ?? '' };
  return { count: String(count), unit, confirm, ...texts, notify, severity };
}

interface SiteFormProps {
  /** The site to change; `null` to add one. */
  readonly origin: string | null;
  readonly onClose: () => void;
}

export function SiteForm({ origin, onClose }: SiteFormProps): JSX.Element {
  const { request } = useWatchClient();
  const [site, setSite] = useState('');
  const [form, setForm] = useState<FormState | null>(origin === null ? INITIAL : null);
  const before = useRef(INITIAL);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (origin === null) return;
    void request('GET settings', { origin }).then((result) => {
      if (result.kind === 'problem') return setProblem(result.message);
      before.current = toFormState(result.value);
      setForm(before.current);
    });
  }, [origin]);
  const onSave = async (): Promise<void> => {
    if (form === null) return;
    const { count, unit, confirm, agents, urls, tests, notify, severity } = form;
    const watched = origin ?? parseSite(site);
    const every = toMilliseconds(Number(count), unit);
    if (watched === null) return setProblem(INVALID_SITE);
    if (!Number.isInteger(every) || every < 60_000)
      return setProblem('The shortest check interval is one minute.');
    const body: WatchJson<'SettingsChange'> = {
      ...{ every, confirm, notify, severity },
      agents: agents.split(/[\n,]/).flatMap((name) => name.trim() || []),
      // Omitted texts stay as they are.
      ...(urls !== before.current.urls && { urls }),
      ...(tests !== before.current.tests && { tests }),
    };
    const result =
      origin === null
        ? await request('POST sites', {}, { origin: watched, ...body } satisfies WatchJson<'NewSite'>)
        : await request('POST site', { origin }, body);
    if (result.kind === 'problem') return setProblem(result.message);
    onClose();
    if (origin === null) location.hash = linkTo({ view: 'site', origin: watched });
  };
  return (
    <Dialog title={origin === null ? 'Watch a site' : 'Edit settings'} onClose={onClose}>
      {origin === null && (
        <TextField label="Site" inputMode="url" placeholder="example.com" value={site} onValue={setSite} />
      )}
      {form === null ? (
        <p>{problem === '' && 'Loading…'}</p>
      ) : (
        <Fields form={form} onChange={(part) => setForm({ ...form, ...part })} />
      )}
      <div class="dialog-foot">
        <span role="alert" class="problem">
          {visible(problem)}
        </span>
        <button type="button" class="primary" disabled={form === null} onClick={onSave}>
          {origin === null ? 'Add site' : 'Save'}
        </button>
      </div>
    </Dialog>
  );
}

interface FieldsProps {
  readonly form: FormState;
  readonly onChange: (part: Partial<FormState>) => void;
}

function Fields({ form, onChange }: FieldsProps): JSX.Element {
  const { count, unit, confirm, agents, urls, tests, notify, severity } = form;
  const area = (name: 'urls' | 'tests', label: string, value: string): JSX.Element => (
    <label class="field">
      {label}
      <textarea
        rows={4}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="fields">
      <div class="bar">
        <label>
          Check every{' '}
          <input
            type="number"
            min="1"
            max="999999"
            value={count}
            onInput={({ currentTarget }) => onChange({ count: currentTarget.value })}
          />
        </label>
        <Select
          isLabelHidden
          label="Unit"
          value={unit}
          choices={['second', 'minute', 'hour', 'day'].map((each) => [each, `${each}s`])}
          onChoose={(chosen) => onChange({ unit: chosen })}
        />
      </div>
      <Select
        label="Report a failure"
        value={confirm}
        choices={[...new Set([...CONFIRM_TIMES, confirm])].map((time) => [
          time,
          time === 0 ? 'immediately' : `if it continues after ${formatDuration(time)}`,
        ])}
        onChoose={(time) => onChange({ confirm: time })}
      />
      <TextField
        label="Crawlers whose verdicts matter, separated by commas (default: all)"
        placeholder="Googlebot, bingbot"
        value={agents}
        onValue={(names) => onChange({ agents: names })}
      />
      {area('urls', 'URLs whose verdicts matter, one per line', urls)}
      {area('tests', 'Expectations, as in robots.test.yaml', tests)}
      <TargetFields targets={notify} onTargets={(targets) => onChange({ notify: targets })} />
      <SeverityFields severity={severity} onSeverity={(chosen) => onChange({ severity: chosen })} />
    </div>
  );
}
