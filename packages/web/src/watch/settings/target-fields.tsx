/**
 * Who is told. What is secret in a target is not shown again; those that run programs, write files or read the environment are set on
 * the command line.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { KeptTarget } from '../answers.ts';
import { useService } from '../connection/asking.ts';

const KINDS = [
  ['', 'webhook', 'https://example.com/hook'],
  ['slack:', 'Slack', 'https://hooks.slack.com/services/…'],
  ['mailto:', 'e-mail', 'name@example.com'],
] as const;

interface TargetFieldsProps {
  readonly targets: readonly (string | KeptTarget)[];
  readonly onTargets: (targets: readonly (string | KeptTarget)[]) => void;
}

/** Lists targets, and adds to them. */
export function TargetFields({ targets, onTargets }: TargetFieldsProps): JSX.Element {
  const { ask } = useService();
  const [scheme, setScheme] = useState<string>('');
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const written = `${scheme}${text.trim()}`;
  const hint = KINDS.find(([each]) => each === scheme)?.[2] ?? '';
  const add = (target: string): void => {
    const isNew = !targets.includes(target);
    setSaid(isNew ? 'Added: it counts when you save.' : 'That one is told already.');
    if (!isNew) return;
    onTargets([...targets, target]);
    setText('');
  };
  const onTry = async (): Promise<void> => {
    setSaid('A test message is sent…');
    const reply = await ask<{ readonly delivered: boolean; readonly reason: string | null }>(
      'test',
      {},
      { method: 'POST', body: { target: written } },
    );
    if (reply.kind === 'problem') setSaid(reply.message);
    else
      setSaid(reply.answer.delivered ? 'It was delivered.' : `Not delivered: ${reply.answer.reason ?? ''}`);
  };
  return (
    <fieldset class="targets">
      <legend>Who is told</legend>
      {targets.length === 0 && <p class="aside">Nobody.</p>}
      <ul>
        {targets.map((target) => {
          const name = visible(typeof target === 'string' ? target : target.shown, 200);
          return (
            <li key={typeof target === 'string' ? target : `${target.index} ${target.shown}`}>
              <code>{name}</code>{' '}
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
        <label>
          <span class="unseen">Kind of target</span>
          <select value={scheme} onChange={({ currentTarget }) => setScheme(currentTarget.value)}>
            {KINDS.map(([each, word]) => (
              <option key={each} value={each}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <label class="add">
          <span class="unseen">Target</span>
          <input
            type="text"
            spellcheck={false}
            autoCapitalize="none"
            autoComplete="off"
            placeholder={hint}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="button" disabled={text.trim() === ''} onClick={() => add(written)}>
          Add
        </button>
        <button type="button" disabled={text.trim() === ''} onClick={onTry}>
          Try
        </button>
        <button type="button" onClick={() => add('log')}>
          Add the log
        </button>
      </div>
      <p role="status">{visible(said)}</p>
      <p class="aside">Programs, feeds and variables are set with maycrawl watch add --notify.</p>
    </fieldset>
  );
}
