// The page of audits: the trend of a site, and the reports in a folder of the service, the newest first.
import type { AuditList } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { TokenField } from '../shared/fields/token-field.tsx';
import { hasAudits, type Result, storeToken } from '../shared/requests/service.ts';
import { useJson } from '../shared/requests/use-request.ts';
import { formatCount, formatMoment } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';
import { TrendView } from './trend/trend-view.tsx';

/** Bytes of a response. */
const MAX_RESPONSE = 4 * 1024 * 1024;

export function AuditsApp(): JSX.Element {
  const [page, setPage] = useState(1);
  /** Grows with each token: then all requests are repeated. */
  const [session, setSession] = useState(0);
  const result = useJson<AuditList>(hasAudits() ? `v1/audits?page=${page}` : null, MAX_RESPONSE, session);
  const [site, setSite] = useState(readSite);
  useEffect(() => scrollTo(0, 0), [result]);
  useEffect(() => {
    const onChange = (): void => setSite(readSite());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const onToken = (token: string): void => {
    storeToken(token);
    setSession(session + 1);
  };
  const isTokenRequired = result?.kind === 'problem' && result.status === 401;
  return (
    <>
      <header class="top">
        <h1>
          <img src="./favicon.svg" alt="" width="26" height="26" />
          maycrawl <span>audits</span>
        </h1>
        <nav aria-label="Pages">
          <a href="./">robots.txt tester</a>
        </nav>
      </header>
      <main class="audits">
        {!hasAudits() && (
          <p class="notice">
            This service has no reports. <code>maycrawl serve --audits FOLDER</code> serves those in a folder.
          </p>
        )}
        {hasAudits() && isTokenRequired && <TokenField message={result.message} onToken={onToken} />}
        {hasAudits() && !isTokenRequired && (
          <>
            <TrendView key={session} site={site} onSite={showSite} />
            <List result={result} onPage={setPage} />
          </>
        )}
      </main>
      <footer class="bottom">Times are in the time zone of this device.</footer>
    </>
  );
}

/** Reads the site from the address, which can be sent; `null` if it names none. */
function readSite(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('site');
}

function showSite(site: string): void {
  location.hash = String(new URLSearchParams({ site }));
}

interface ListProps {
  readonly result: Result<AuditList> | null;
  readonly onPage: (page: number) => void;
}

function List({ result, onPage }: ListProps): JSX.Element {
  if (result === null) return <p role="status">Loading…</p>;
  if (result.kind === 'problem') return <p class="problem">{visible(result.message)}</p>;
  const { total, page, pages, reports } = result.value;
  return (
    <section class="card" aria-labelledby="reports">
      <h2 id="reports">Reports</h2>
      {total === 0 && <p>The folder has no reports yet.</p>}
      <ul>
        {reports.map(({ name, bytes, writtenAt }) => (
          <li key={name}>
            <a href={`./audits/${encodeURIComponent(name)}`}>{visible(name)}</a>
            <span class="aside">
              <time dateTime={writtenAt}>{formatMoment(Date.parse(writtenAt))}</time>, {formatSize(bytes)}
            </span>
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <nav class="bar" aria-label="Pages of the list">
          <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Newer
          </button>
          <span role="status">
            Page {page} of {pages}, {formatCount(total, 'report')}
          </span>
          <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Older
          </button>
        </nav>
      )}
    </section>
  );
}

function formatSize(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return mebibytes < 0.1 ? `${Math.ceil(bytes / 1024)} KiB` : `${mebibytes.toFixed(1)} MiB`;
}
