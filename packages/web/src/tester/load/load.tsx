/**
 * "Load from site": requests the robots.txt of a site from the service, and shows the result.
 *
 * @module
 */
import { hasScheme } from '@maycrawl/core/url';
import type { SitemapSample } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import {
  INVALID_SITE,
  parseSite,
  parseSiteUrl,
  type Result,
  requestJson,
  storeToken,
} from '../../shared/service.ts';
import { visible } from '../../shared/visible.ts';
import { LoadReport } from './load-report.tsx';
import { type OriginReport, readOriginReport } from './origin-report.ts';
import { describeSample, requestSample } from './sample.ts';

/** Bytes of a response: a file of 500 KiB in base64, headers and a history. */
const MAX_RESPONSE = 8 * 1024 * 1024;

interface LoadProps {
  /** Whether the URLs of the matrix are a sample of the site, to which entries of its sitemaps belong. */
  readonly isSampled: boolean;
  /** Called with the result. @param url - the URL that was typed. */
  readonly onLoad: (report: OriginReport, url: string) => void;
  /** Called with entries of the sitemaps of the site. */
  readonly onSample: (sample: SitemapSample) => void;
}

/** A field for the site. */
export function Load({ isSampled, onLoad, onSample }: LoadProps): JSX.Element {
  const [site, setSite] = useState('');
  const [token, setToken] = useState('');
  const [result, setResult] = useState<Result<OriginReport> | null>(null);
  const [sample, setSample] = useState<Result<SitemapSample> | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const running = useRef<AbortController | null>(null);

  const load = async (written: string): Promise<void> => {
    const target = parseSiteUrl(written);
    if (target === null) {
      setResult({ kind: 'problem', message: INVALID_SITE, status: null });
      return;
    }
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    if (token !== '') storeToken(token);
    setIsLoading(true);
    const next = await requestRobots(target.origin, controller.signal);
    // Another site was requested meanwhile.
    if (controller.signal.aborted) return;
    setIsLoading(false);
    setToken('');
    setResult(next);
    setSample(null);
    if (next.kind === 'problem') return;
    onLoad(next.value, target.url);
    if (!isSampled || next.value.content === null) return;
    const sampled = await requestSample(next.value.origin, controller.signal);
    if (controller.signal.aborted) return;
    setSample(sampled);
    if (sampled.kind === 'success') onSample(sampled.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') void load(site);
  };

  const httpSite = result?.kind === 'success' ? getHttpSite(site, result.value) : null;
  const onHttp = (): void => {
    if (httpSite === null) return;
    setSite(httpSite);
    void load(httpSite);
  };

  return (
    <div class="load">
      <div class="bar">
        <label class="add">
          <span class="unseen">Site</span>
          <input
            type="text"
            inputMode="url"
            placeholder="example.com/page"
            spellcheck={false}
            autoCapitalize="none"
            value={site}
            onInput={({ currentTarget }) => setSite(currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <button type="button" class="primary" onClick={() => load(site)}>
          Load from site
        </button>
      </div>
      {result?.kind === 'problem' && result.status === 401 && (
        <div class="bar">
          <label class="add">
            {result.message} It is stored until you close this tab
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
        {!isLoading && result?.kind === 'success' && (
          <>
            {httpSite !== null && (
              <p>
                It was requested by https.{' '}
                <button type="button" class="link" onClick={onHttp}>
                  Try {visible(httpSite, 100)}
                </button>
              </p>
            )}
            <LoadReport report={result.value} />
            {sample !== null && <p class="aside">{visible(describeSample(sample))}</p>}
          </>
        )}
      </div>
    </div>
  );
}

/** The same site by http, if it was typed without scheme and https gave no response; else `null`. */
function getHttpSite(written: string, { result, status, origin }: OriginReport): string | null {
  const isFailure = result === 'unreachable' && status === null;
  const isSame = parseSite(written) === origin;
  return isFailure && isSame && !hasScheme(written.trim()) ? `http://${written.trim()}` : null;
}

async function requestRobots(origin: string, signal: AbortSignal): Promise<Result<OriginReport>> {
  const path = `v1/robots?${new URLSearchParams({ origin })}`;
  const result = await requestJson(path, { signal, maxBytes: MAX_RESPONSE });
  if (result.kind === 'problem') return result;
  const value = readOriginReport(result.value);
  if (value !== null) return { kind: 'success', value };
  return { kind: 'problem', message: 'The response of the service is not valid.', status: null };
}
