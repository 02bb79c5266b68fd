/**
 * A version: its file as it was, or why there was none, and how it came.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { download } from '../../shared/files.tsx';
import { visible } from '../../shared/visible.ts';
import { headerName } from '../../tester/load/robots-answer.ts';
import type { FullVersion } from '../answers.ts';
import { useAnswer } from '../connection/asking.ts';
import { linkTo } from '../route.ts';
import { Moment, outcomeOf } from '../words.tsx';
import { bytesOf, linesOf, openInTester } from './version-file.ts';

/** More lines are not shown. */
const MAX_LINES = 2_000;

interface VersionViewProps {
  readonly origin: string;
  readonly number: number;
}

/** Shows it. */
export function VersionView({ origin, number }: VersionViewProps): JSX.Element {
  const [reply] = useAnswer<FullVersion>('version', { origin, number }, () => false);
  return (
    <>
      <p>
        <a href={linkTo({ view: 'site', origin })}>{visible(origin, 200)}</a>
      </p>
      <h2>Version {number}</h2>
      {reply === null && <p>Loading…</p>}
      {reply?.kind === 'problem' && <p class="problem">{visible(reply.message)}</p>}
      {reply?.kind === 'answer' && <Known origin={origin} version={reply.answer} />}
    </>
  );
}

function Known({ origin, version }: { readonly origin: string; readonly version: FullVersion }): JSX.Element {
  const { number, content, headers, hops, hash } = version;
  const [notice, setNotice] = useState('');
  const bytes = useMemo(() => bytesOf(version), [version]);
  const lines = useMemo(() => linesOf(bytes), [bytes]);
  const onOpen = async (): Promise<void> => {
    if (!(await openInTester(origin, version, null)))
      setNotice('The file is too long for a link: download it, and open it in the tester.');
  };
  const sent = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[headerName(name), value] as const] : [],
  );
  return (
    <>
      <section class="card" aria-labelledby="came">
        <h3 id="came">How it came</h3>
        <dl class="facts">
          <Fact name="What came" value={outcomeOf(version)} />
          <div>
            <dt>Seen</dt>
            <dd>
              <Moment at={version.firstSeen} /> to <Moment at={version.lastSeen} />,{' '}
              {version.checks.toLocaleString('en')} {version.checks === 1 ? 'time' : 'times'}
            </dd>
          </div>
          {hops.map(({ url, status }, index) => (
            <Fact key={index} name={`Answer ${index + 1}`} value={`${status ?? ''} ${url}`} />
          ))}
          {sent.map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
          {hash !== null && <Fact name="SHA-256" value={hash} />}
        </dl>
      </section>
      {content !== null && (
        <section class="card" aria-labelledby="file">
          <div class="bar">
            <h3 id="file" class="grow">
              The file
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
      {content === null && version.kind === 'found' && <p class="problem">The file is not kept any more.</p>}
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{visible(name, 60)}</dt>
      <dd>{visible(value, 500)}</dd>
    </div>
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
        <p class="aside">{(lines.length - MAX_LINES).toLocaleString('en')} more lines are not shown.</p>
      )}
    </>
  );
}
