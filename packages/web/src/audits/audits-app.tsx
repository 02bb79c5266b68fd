/**
 * The page of audits: the reports in a folder of the service, the newest first.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiReply, createApi } from '../shared/api.ts';
import { hasAudits, keepToken } from '../shared/service.ts';
import { TokenField } from '../shared/token-field.tsx';
import { visible } from '../shared/visible.ts';

/** A page of `GET /v1/audits`. */
interface AuditList {
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly reports: readonly { readonly name: string; readonly bytes: number; readonly writtenAt: string }[];
}

/** The whole page. */
export function AuditsApp(): JSX.Element {
  const [page, setPage] = useState(1);
  const [reply, setReply] = useState<ApiReply<AuditList> | null>(null);
  const [needsToken, setNeedsToken] = useState(false);
  const callApi = useMemo(() => createApi('v1/', () => setNeedsToken(true)), []);
  useEffect(() => {
    if (!hasAudits() || needsToken) return;
    let isCurrent = true;
    void callApi<AuditList>('audits', { page }).then((received) => {
      if (!isCurrent) return;
      setReply(received);
      scrollTo(0, 0);
    });
    return () => {
      isCurrent = false;
    };
  }, [page, needsToken]);
  const onToken = (token: string): void => {
    keepToken(token);
    setNeedsToken(false);
  };
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
        {hasAudits() && needsToken && <TokenField onToken={onToken} />}
        {hasAudits() && !needsToken && <List reply={reply} onPage={setPage} />}
      </main>
      <footer class="bottom">Times are local times of this device.</footer>
    </>
  );
}

interface ListProps {
  readonly reply: ApiReply<AuditList> | null;
  readonly onPage: (page: number) => void;
}

function List({ reply, onPage }: ListProps): JSX.Element {
  if (reply === null) return <p role="status">Loading…</p>;
  if (reply.kind === 'problem') return <p class="problem">{visible(reply.message)}</p>;
  const { total, page, pages, reports } = reply.answer;
  return (
    <section class="card" aria-labelledby="reports">
      <h2 id="reports">Reports</h2>
      {total === 0 && <p>The folder has no reports yet.</p>}
      <ul>
        {reports.map(({ name, bytes, writtenAt }) => (
          <li key={name}>
            <a href={`./audits/${encodeURIComponent(name)}`}>{visible(name)}</a>
            <span class="aside">
              <time dateTime={writtenAt}>{new Date(writtenAt).toLocaleString('en-GB')}</time>,{' '}
              {formatSize(bytes)}
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
            Page {page} of {pages}, {total} reports
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
