/**
 * The versions of a site, and a form that compares two of them.
 *
 * @module
 */
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { NumberHead } from '../../shared/table/column-head.tsx';
import { formatNumber } from '../../shared/text.ts';
import { Moment } from '../badges.tsx';
import { linkTo } from '../route.ts';
import { describeResult } from '../text.ts';

/** Versions that are listed at first. */
const INITIAL_COUNT = 20;

interface VersionsTableProps {
  readonly origin: string;
  /** The newest first. */
  readonly versions: readonly WatchJson<'Version'>[];
}

/** Lists versions. */
export function VersionsTable({ origin, versions }: VersionsTableProps): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? versions : versions.slice(0, INITIAL_COUNT);
  return (
    <>
      <VersionChoice origin={origin} versions={versions} />
      <ScrollRegion label="Versions">
        <table class="versions">
          <caption class="unseen">Versions, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Response</th>
              <th scope="col">First seen</th>
              <th scope="col">Last seen</th>
              <NumberHead>Checks</NumberHead>
            </tr>
          </thead>
          <tbody>
            {shown.map((version) => (
              <tr key={version.number}>
                <td>
                  <a href={linkTo({ view: 'version', origin, number: version.number })}>{version.number}</a>
                </td>
                <td>{describeResult(version)}</td>
                <td>
                  <Moment at={version.firstSeen} />
                </td>
                <td>
                  <Moment at={version.lastSeen} />
                </td>
                <td class="number">{formatNumber(version.checks)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {!isWhole && versions.length > INITIAL_COUNT && (
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
      {select('after', 'and version')}
      <a class="button" href={linkTo({ view: 'compare', origin, ...pair })}>
        Compare
      </a>
    </div>
  );
}
