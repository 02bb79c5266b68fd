/**
 * Watching a site, or watching it in another way.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { siteOf } from '../../shared/service.ts';
import { visible } from '../../shared/visible.ts';
import type { EditableSettings, KeptTarget, Severity } from '../answers.ts';
import { useService } from '../connection/asking.ts';
import { linkTo } from '../route.ts';
import { lengthOf, millisecondsOf } from '../words.tsx';
import { SeverityFields } from './severity-fields.tsx';
import { TargetFields } from './target-fields.tsx';

/** What is entered. */
interface Entered {
  readonly count: string;
  readonly unit: string;
  readonly agents: string;
  readonly urls: string;
  readonly tests: string;
  readonly notify: readonly (string | KeptTarget)[];
  readonly severity: Readonly<Record<string, Severity>>;
}

const NOTHING: Entered = {
  ...{ count: '1', unit: 'hour', agents: '', urls: '', tests: '', notify: [], severity: {} },
};

function enteredOf({ every, agents, urls, tests, notify, severity }: EditableSettings): Entered {
  const { count, unit } = lengthOf(every);
  const texts = { agents: agents.join(', '), urls: urls ?? '', tests: tests ?? '' };
  return { count: String(count), unit, ...texts, notify, severity };
}

interface SiteFormProps {
  /** Of the site that is watched already; `null`: a new one. */
  readonly origin: string | null;
  readonly onClose: () => void;
}

/** Asks how, and sends it. */
export function SiteForm({ origin, onClose }: SiteFormProps): JSX.Element {
  const { ask } = useService();
  const [site, setSite] = useState('');
  const [entered, setEntered] = useState<Entered | null>(origin === null ? NOTHING : null);
  const before = useRef(NOTHING);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (origin === null) return;
    void ask<EditableSettings>('settings', { origin }).then((reply) => {
      if (reply.kind === 'problem') return setProblem(reply.message);
      before.current = enteredOf(reply.answer);
      setEntered(before.current);
    });
  }, [origin]);
  const onSave = async (): Promise<void> => {
    if (entered === null) return;
    const { count, unit, agents, urls, tests, notify, severity } = entered;
    const watched = origin ?? siteOf(site);
    const every = millisecondsOf(Number(count), unit);
    if (watched === null) return setProblem('That is no site: write a host such as example.com, or a URL.');
    if (!Number.isInteger(every) || every < 60_000)
      return setProblem('Sites are checked once a minute at most.');
    const body = {
      ...{ every, notify, severity },
      agents: agents.split(/[\n,]/).flatMap((name) => name.trim() || []),
      // What was not changed stays as it is.
      ...(urls !== before.current.urls && { urls }),
      ...(tests !== before.current.tests && { tests }),
    };
    const reply =
      origin === null
        ? await ask('sites', {}, { method: 'POST', body: { origin: watched, ...body } })
        : await ask('site', { origin }, { method: 'POST', body });
    if (reply.kind === 'problem') return setProblem(reply.message);
    onClose();
    if (origin === null) location.hash = linkTo({ view: 'site', origin: watched });
  };
  return (
    <Dialog title={origin === null ? 'Watch a site' : 'How it is watched'} onClose={onClose}>
      {origin === null && (
        <label class="field">
          Site
          <input
            type="text"
            inputMode="url"
            placeholder="example.com"
            spellcheck={false}
            autoCapitalize="none"
            value={site}
            onInput={({ currentTarget }) => setSite(currentTarget.value)}
          />
        </label>
      )}
      {entered === null ? (
        <p>{problem === '' && 'Loading…'}</p>
      ) : (
        <Fields entered={entered} onEnter={(part) => setEntered({ ...entered, ...part })} />
      )}
      <div class="dialog-foot">
        <span role="alert" class="problem">
          {visible(problem)}
        </span>
        <button type="button" class="primary" disabled={entered === null} onClick={onSave}>
          {origin === null ? 'Watch it' : 'Save'}
        </button>
      </div>
    </Dialog>
  );
}

interface FieldsProps {
  readonly entered: Entered;
  readonly onEnter: (part: Partial<Entered>) => void;
}

function Fields({ entered, onEnter }: FieldsProps): JSX.Element {
  const { count, unit, agents, urls, tests, notify, severity } = entered;
  const area = (name: 'urls' | 'tests', label: string, value: string): JSX.Element => (
    <label class="field">
      {label}
      <textarea
        rows={4}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onEnter({ [name]: currentTarget.value })}
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
            onInput={({ currentTarget }) => onEnter({ count: currentTarget.value })}
          />
        </label>
        <label>
          <span class="unseen">Unit</span>
          <select value={unit} onChange={({ currentTarget }) => onEnter({ unit: currentTarget.value })}>
            {['minute', 'hour', 'day'].map((each) => (
              <option key={each} value={each}>
                {each}s
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="field">
        Crawlers whose verdicts matter, with commas between them (none: all)
        <input
          type="text"
          spellcheck={false}
          autoCapitalize="none"
          placeholder="Googlebot, bingbot"
          value={agents}
          onInput={({ currentTarget }) => onEnter({ agents: currentTarget.value })}
        />
      </label>
      {area('urls', 'URLs whose verdicts matter, one a line', urls)}
      {area('tests', 'Tests, as in robots.test.yaml', tests)}
      <TargetFields targets={notify} onTargets={(targets) => onEnter({ notify: targets })} />
      <SeverityFields severity={severity} onSeverity={(chosen) => onEnter({ severity: chosen })} />
    </div>
  );
}
