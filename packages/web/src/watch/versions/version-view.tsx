// A version: the response, and its file.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Fact } from '../../shared/fact.tsx';
import { download } from '../../shared/files.tsx';
import { formatCount, formatNumber, listHeaders } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { Moment } from '../badges.tsx';
import { useResponse } from '../connection/watch-client.ts';
import { linkTo } from '../route.ts';
import { describeResult } from '../text.ts';
import { decodeContent, openInTester, splitLines } from './version-file.ts';

/** Maximum number of lines shown. */
const MAX_LINES = 2_000;

interface VersionViewProps {
  readonly origin: string;
  readonly number: number;
}

export function VersionView({ origin, number }: VersionViewProps): JSX.Element {
  const [result] = useResponse('GET version', { origin, number }, () => false);
  return (
    <>
      <p>
        <a href={linkTo({ view: 'site', origin })}>{visible(origin, 200)}</a>
      </p>
      <h2>Version {number}</h2>
      {result === null && <p>Loading…</p>}
      {result?.kind === 'problem' && <p class="problem">{visible(result.message)}</p>}
      {result?.kind === 'success' && <VersionDetails origin={origin} version={result.value} />}
    </>
  );
}

interface VersionDetailsProps {
  readonly origin: string;
  readonly version: WatchJson<'VersionFile'>;
}

function VersionDetails({ origin, version }: VersionDetailsProps): JSX.Element {
  const { number, content, headers, hops, hash } = version;
  const [notice, setNotice] = useState('');
  const bytes = useMemo(() => decodeContent(version), [version]);
  const lines = useMemo(() => splitLines(bytes), [bytes]);
  const onOpen = async (): Promise<void> => {
    if (!(await openInTester(origin, version, null)))
      setNotice('The file is too long for a link. Download it and open it in the tester.');
  };
  return (
    <>
      <section class="card" aria-labelledby="response">
        <h3 id="response">Response</h3>
        <dl class="facts">
          <Fact name="Result">{describeResult(version)}</Fact>
          <Fact name="Seen">
            <Moment at={version.firstSeen} /> to <Moment at={version.lastSeen} />,{' '}
            {formatCount(version.checks, 'check')}
          </Fact>
          {hops.map(({ url, status }, index) => (
            <Fact key={index} name={`Request ${index + 1}`}>
              {visible(`${status ?? ''} ${url}`, 500)}
            </Fact>
          ))}
          {listHeaders(headers).map(([name, value]) => (
            <Fact key={name} name={visible(name, 60)}>
              {visible(value, 500)}
            </Fact>
          ))}
          {hash !== null && <Fact name="SHA-256">{hash}</Fact>}
        </dl>
      </section>
      {content !== null && (
        <section class="card" aria-labelledby="file">
          <div class="bar">
            <h3 id="file" class="grow">
              File
            </h3>
            <button type="button" onClick={() => download('robots.txt', bytes)}>
              Download
            </button>
            <button type="button" class="primary" onClick={onOpen}>
              Open in the tester
            </button>
          </div>
          <p role="status">{notice}</p>
          {lines.length === 0 ? <p>The file is empty.</p> : <Lines lines={lines} number={number} />}
        </section>
      )}
      {content === null && version.kind === 'successful' && (
        <p class="problem">The file is no longer stored.</p>
      )}
    </>
  );
}

function Lines({
  lines,
  number,
}: {
  readonly lines: readonly string[];
  readonly number: number;
}): JSX.Element {
  return (
    <>
      <ol class="lines" aria-label={`Lines of version ${number}`}>
        {lines.slice(0, MAX_LINES).map((line, index) => (
          <li key={index}>
            <code>{visible(line)}</code>
          </li>
        ))}
      </ol>
      {lines.length > MAX_LINES && (
        <p class="aside">{formatNumber(lines.length - MAX_LINES)} more lines are not shown.</p>
      )}
    </>
  );
}
