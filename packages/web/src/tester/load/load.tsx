/**
 * "Load from site": asks the service for a robots.txt, and tells how it came and what that means.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { askForRobots, keepToken, type Reply, siteOf } from '../../shared/service.ts';
import { visible } from '../../shared/visible.ts';
import { LoadReport } from './load-report.tsx';
import type { RobotsAnswer } from './robots-answer.ts';

/** Asks which site, and loads its file. `onLoad` gets what came. */
export function Load({ onLoad }: { readonly onLoad: (answer: RobotsAnswer) => void }): JSX.Element {
  const [site, setSite] = useState('');
  const [token, setToken] = useState('');
  const [reply, setReply] = useState<Reply | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const running = useRef<AbortController | null>(null);

  const load = async (): Promise<void> => {
    const origin = siteOf(site);
    if (origin === null) {
      setReply({ kind: 'problem', message: 'That is no site: write a host such as example.com, or a URL.' });
      return;
    }
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    if (token !== '') keepToken(token);
    setIsLoading(true);
    const came = await askForRobots(origin, controller.signal);
    // Somebody has asked for another site meanwhile.
    if (controller.signal.aborted) return;
    setIsLoading(false);
    setToken('');
    setReply(came);
    if (came.kind === 'answer') onLoad(came.answer);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') void load();
  };

  return (
    <div class="load">
      <div class="bar">
        <label class="add">
          <span class="unseen">Site</span>
          <input
            type="text"
            inputMode="url"
            placeholder="example.com"
            spellcheck={false}
            autoCapitalize="none"
            value={site}
            onInput={({ currentTarget }) => setSite(currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <button type="button" class="primary" onClick={load}>
          Load from site
        </button>
      </div>
      {reply?.kind === 'token-needed' && (
        <div class="bar">
          <label class="add">
            The service wants a token; it is kept until this tab is closed
            <input
              type="password"
              autoComplete="off"
              value={token}
              onInput={({ currentTarget }) => setToken(currentTarget.value)}
              onKeyDown={onKeyDown}
            />
          </label>
        </div>
      )}
      <div role="status">
        {isLoading && <p>Loading…</p>}
        {!isLoading && reply?.kind === 'problem' && <p class="problem">{visible(reply.message)}</p>}
        {!isLoading && reply?.kind === 'answer' && <LoadReport answer={reply.answer} />}
      </div>
    </div>
  );
}
