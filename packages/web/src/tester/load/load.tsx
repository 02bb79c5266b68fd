// "Load from site": requests the robots.txt of a site from the service, and shows the result.
import { hasScheme } from '@maycrawl/core/url';
import type { RobotsReport, SitemapSample } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextField } from '../../shared/fields/text-field.tsx';
import { INVALID_SITE, parseSite, parseSiteUrl, storeToken } from '../../shared/requests/service.ts';
import { useRequest } from '../../shared/requests/use-request.ts';
import { visible } from '../../shared/visible.ts';
import { LoadReport } from './load-report.tsx';
import { describeSample } from './text.ts';

/** Bytes of a response: a file of 500 KiB in base64, headers and a history. */
const MAX_RESPONSE = 8 * 1024 * 1024;

interface LoadProps {
  /** Whether the URLs of the matrix are a sample of the site, to which entries of its sitemaps belong. */
  readonly isSampled: boolean;
  /** Called with the result. @param url - the URL that was typed. */
  readonly onLoad: (report: RobotsReport, url: string) => void;
  /** Called with entries of the sitemaps of the site. */
  readonly onSample: (sample: SitemapSample) => void;
}

export function Load({ isSampled, onLoad, onSample }: LoadProps): JSX.Element {
  const [site, setSite] = useState('');
  const [token, setToken] = useState('');
  const { isRunning, result, send, reset } = useRequest<RobotsReport>();
  const sample = useRequest<SitemapSample>();

  const load = async (written: string): Promise<void> => {
    const target = parseSiteUrl(written);
    if (target === null) return reset(INVALID_SITE);
    if (token !== '') storeToken(token);
    sample.reset(null);
    const path = `v1/robots?${new URLSearchParams({ origin: target.origin })}`;
    const report = await send(path, { maxBytes: MAX_RESPONSE });
    setToken('');
    if (report === null) return;
    onLoad(report, target.url);
    if (!isSampled || report.content === null) return;
    const body = { origin: report.origin };
    const sampled = await sample.send('v1/sample', { method: 'POST', body, maxBytes: MAX_RESPONSE });
    if (sampled !== null) onSample(sampled);
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
        <TextField
          isInRow
          label="Site"
          inputMode="url"
          placeholder="example.com/page"
          value={site}
          onValue={setSite}
          onEnter={() => load(site)}
        />
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
              onKeyDown={({ key }) => key === 'Enter' && load(site)}
            />
          </label>
        </div>
      )}
      <div role="status">
        {isRunning && <p>Loading…</p>}
        {!isRunning && result?.kind === 'problem' && result.status !== 401 && (
          <p class="problem">{visible(result.message)}</p>
        )}
        {!isRunning && result?.kind === 'success' && (
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
            {sample.result !== null && <p class="aside">{visible(describeSample(sample.result))}</p>}
          </>
        )}
      </div>
    </div>
  );
}

/** The same site by http, if it was typed without scheme and https gave no response; else `null`. */
function getHttpSite(written: string, { result, status, origin }: RobotsReport): string | null {
  const isFailure = result === 'unreachable' && status === null;
  const isSame = parseSite(written) === origin;
  return isFailure && isSame && !hasScheme(written.trim()) ? `http://${written.trim()}` : null;
}
