/**
 * "Load from site": requests the robots.txt of a site from the service, and shows the result.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { INVALID_SITE, parseSite, type Result, requestJson, storeToken } from '../../shared/service.ts';
import { visible } from '../../shared/visible.ts';
import { LoadReport } from './load-report.tsx';
import { type OriginReport, readOriginReport } from './origin-report.ts';

/** Bytes of a response: a file of 500 KiB in base64, headers and a history. */
const MAX_RESPONSE = 8 * 1024 * 1024;

/** A field for the site. @param onLoad - called with the result. */
export function Load({ onLoad }: { readonly onLoad: (report: OriginReport) => void }): JSX.Element {
  const [site, setSite] = useState('');
  const [token, setToken] = useState('');
  const [result, setResult] = useState<Result<OriginReport> | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const running = useRef<AbortController | null>(null);

  const load = async (): Promise<void> => {
    const origin = parseSite(site);
    if (origin === null) {
      setResult({ kind: 'problem', message: INVALID_SITE, status: null });
      return;
    }
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    if (token !== '') storeToken(token);
    setIsLoading(true);
    const next = await requestRobots(origin, controller.signal);
    // Another site was requested meanwhile.
    if (controller.signal.aborted) return;
    setIsLoading(false);
    setToken('');
    setResult(next);
    if (next.kind === 'success') onLoad(next.value);
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
      {result?.kind === 'problem' && result.status === 401 && (
        <div class="bar">
          <label class="add">
            The service requires a token. It is stored until you close this tab
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
        {!isLoading && result?.kind === 'problem' && result.status !== 401 && (
          <p class="problem">{visible(result.message)}</p>
        )}
        {!isLoading && result?.kind === 'success' && <LoadReport report={result.value} />}
      </div>
    </div>
  );
}

async function requestRobots(origin: string, signal: AbortSignal): Promise<Result<OriginReport>> {
  const path = `v1/robots?${new URLSearchParams({ origin })}`;
  const result = await requestJson(path, { signal, maxBytes: MAX_RESPONSE });
  if (result.kind === 'problem') return result;
  const value = readOriginReport(result.value);
  if (value !== null) return { kind: 'success', value };
  return { kind: 'problem', message: 'The response of the service is not valid.', status: null };
}
