/**
 * The versions of a site, and a choice of two to compare.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ScrollRegion } from '../../shared/scroll-region.tsx';
import type { Version } from '../answers.ts';
import { linkTo } from '../route.ts';
import { Moment, outcomeOf } from '../words.tsx';

/** So many are listed at first. */
const FIRST = 20;

interface VersionsTableProps {
  readonly origin: string;
  /** The newest first. */
  readonly versions: readonly Version[];
}

/** Lists them. */
export function VersionsTable({ origin, versions }: VersionsTableProps): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? versions : versions.slice(0, FIRST);
  return (
    <>
      <VersionChoice origin={origin} versions={versions} />
      <ScrollRegion label="Versions">
        <table class="versions">
          <caption class="unseen">Versions, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">What came</th>
              <th scope="col">From</th>
              <th scope="col">Last seen</th>
              <th scope="col" class="number">
                Checks
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((version) => (
              <tr key={version.number}>
                <td>
                  <a href={linkTo({ view: 'version', origin, number: version.number })}>{version.number}</a>
                </td>
                <td>{outcomeOf(version)}</td>
                <td>
                  <Moment at={version.firstSeen} />
                </td>
                <td>
                  <Moment at={version.lastSeen} />
                </td>
                <td class="number">{version.checks.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {!isWhole && versions.length > FIRST && (
        <button type="button" onClick={() => setIsWhole(true)}>
          List all {versions.length}
        </button>
      )}
    </>
  );
}

function VersionChoice({ origin, versions }: VersionsTableProps): JSX.Element | null {
  const files = versions.filter(({ kind }) => kind !== 'unreachable').map(({ number }) => number);
  const [after = 0, before = 0] = files;
  const [chosen, setChosen] = useState<{ before?: number; after?: number }>({});
  if (files.length < 2) return null;
  const pair = { before: chosen.before ?? before, after: chosen.after ?? after };
  const select = (name: 'before' | 'after', label: string): JSX.Element => (
    <label>
      {label}{' '}
      <select
        value={String(pair[name])}
        onChange={({ currentTarget }) => setChosen({ ...chosen, [name]: Number(currentTarget.value) })}
      >
        {files.map((number) => (
          <option key={number} value={String(number)}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="bar choice">
      {select('before', 'Version')}
      {select('after', 'beside version')}
      <a class="button" href={linkTo({ view: 'compare', origin, ...pair })}>
        Compare
      </a>
    </div>
  );
}
