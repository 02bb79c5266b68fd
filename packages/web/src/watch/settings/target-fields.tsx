// The targets of notifications. Secrets of a stored target are not shown. Targets that run programs, write files or read the
// environment can only be set on the command line.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Select } from '../../shared/fields/select.tsx';
import { TextField } from '../../shared/fields/text-field.tsx';
import { visible } from '../../shared/visible.ts';
import { useWatchClient } from '../connection/watch-client.ts';
import { THRESHOLDS } from '../text.ts';

const KINDS = [
  ['', 'webhook', 'https://example.com/hook'],
  ['slack:', 'Slack', 'https://hooks.slack.com/services/…'],
  ['mailto:', 'e-mail', 'name@example.com'],
] as const;

/** A new target, or a stored one. */
export type Target = WatchJson<'NewTarget'> | WatchJson<'StoredTarget'>;

const CHOICES = Object.entries(THRESHOLDS) as [WatchJson<'Severity'>, string][];

interface TargetFieldsProps {
  readonly targets: readonly Target[];
  readonly onTargets: (targets: readonly Target[]) => void;
}

export function TargetFields({ targets, onTargets }: TargetFieldsProps): JSX.Element {
  const { request } = useWatchClient();
  const [scheme, setScheme] = useState<string>('');
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const written = `${scheme}${text.trim()}`;
  const hint = KINDS.find(([each]) => each === scheme)?.[2] ?? '';
  const add = (target: string): void => {
    const isNew = !targets.some((each) => 'target' in each && each.target === target);
    setStatus(isNew ? 'Added. It takes effect when you save.' : 'This target is already in the list.');
    if (!isNew) return;
    onTargets([...targets, { target, from: 'info' }]);
    setText('');
  };
  const onTest = async (): Promise<void> => {
    setStatus('Sending a test notification…');
    const body: WatchJson<'TestNotification'> = { target: written };
    const result = await request('POST test', {}, body);
    if (result.kind === 'problem') return setStatus(result.message);
    const { delivered, reason } = result.value;
    setStatus(delivered ? 'Delivered.' : `Not delivered: ${reason ?? ''}`);
  };
  return (
    <fieldset class="targets">
      <legend>Notifications</legend>
      {targets.length === 0 && <p class="aside">No targets.</p>}
      <ul>
        {targets.map((target) => {
          const name = visible('target' in target ? target.target : target.shown, 200);
          return (
            <li key={'target' in target ? target.target : `${target.index} ${target.shown}`}>
              <code>{name}</code>{' '}
              <Select
                isLabelHidden
                label={`What ${name} receives`}
                value={target.from}
                choices={CHOICES}
                onChoose={(from) =>
                  onTargets(targets.map((each) => (each === target ? { ...each, from } : each)))
                }
              />{' '}
              <button
                type="button"
                class="small"
                aria-label={`Remove ${name}`}
                onClick={() => onTargets(targets.filter((each) => each !== target))}
              >
                Remove
              </button>
            </li>
          );
        })}
      </ul>
      <div class="bar">
        <Select
          isLabelHidden
          label="Kind of target"
          value={scheme}
          choices={KINDS.map(([each, word]) => [each, word])}
          onChoose={setScheme}
        />
        <TextField
          isInRow
          label="Target"
          autoComplete="off"
          placeholder={hint}
          value={text}
          onValue={setText}
        />
        <button type="button" disabled={text.trim() === ''} onClick={() => add(written)}>
          Add
        </button>
        <button type="button" disabled={text.trim() === ''} onClick={onTest}>
          Send test
        </button>
        <button type="button" onClick={() => add('log')}>
          Add the log
        </button>
      </div>
      <p role="status">{visible(status)}</p>
      <p class="aside">
        Programs, feeds and environment variables can only be set with maycrawl watch add --notify.
      </p>
    </fieldset>
  );
}
