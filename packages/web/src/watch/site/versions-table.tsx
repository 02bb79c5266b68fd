// The versions of a site, and a form that compares two of them.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Select, toChoices } from '../../shared/fields/select.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
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

export function VersionsTable({ origin, versions }: VersionsTableProps): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? versions : versions.slice(0, INITIAL_COUNT);
  return (
    <>
      <VersionChoice origin={origin} versions={versions} />
      <ScrollRegion label="Versions, newest first">
        <DataTable
          class="versions"
          rows={shown}
          getKey={({ number }) => number}
          columns={[
            {
              title: 'Version',
              getCell: ({ number }) => <a href={linkTo({ view: 'version', origin, number })}>{number}</a>,
            },
            { title: 'Response', getCell: describeResult },
            { title: 'First seen', getCell: ({ firstSeen }) => <Moment at={firstSeen} /> },
            { title: 'Last seen', getCell: ({ lastSeen }) => <Moment at={lastSeen} /> },
            { title: 'Checks', kind: 'number', getCell: ({ checks }) => formatNumber(checks) },
          ]}
        />
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
    <Select
      label={label}
      value={pair[name]}
      choices={toChoices(files)}
      onChoose={(number) => setChosen({ ...chosen, [name]: number })}
    />
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
