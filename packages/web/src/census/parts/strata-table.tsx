// The shares of parts of the sites that block one agent, as bars. A part with few sites has no bar.
import type { Stratum } from 'maycrawl/api';
import type { JSX } from 'preact';
import { BarLine } from '../../shared/charts.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { type Base, findAxisEnd, getBlocked, MIN_SITES, type Share, toFraction } from '../data/shares.ts';
import { formatPercentNumber } from '../text.ts';
import { ShareAxis } from './axis.tsx';
import { SiteNumber } from './examples.tsx';

/** A part of the sites, and its share. */
export interface StratumShare {
  readonly stratum: Stratum;
  readonly name: string;
  readonly share: Share;
}

/** Returns the shares of parts with sites: the largest first, and those of few sites at the end. */
export function createStrataShares(
  strata: readonly { readonly stratum: Stratum; readonly name: string }[],
  agent: number,
  base: Base,
): readonly StratumShare[] {
  return strata
    .map((each) => ({ ...each, share: getBlocked(each.stratum.access[agent] ?? [], base) }))
    .filter(({ share }) => share.total > 0)
    .sort((a, b) => Number(isSmall(a)) - Number(isSmall(b)) || toFraction(b.share) - toFraction(a.share));
}

function isSmall({ share }: StratumShare): boolean {
  return share.total < MIN_SITES;
}

interface StrataTableProps {
  /** The head of the names. */
  readonly head: string;
  /** The name of the agent. */
  readonly agent: string;
  readonly rows: readonly StratumShare[];
}

export function StrataTable({ head, agent, rows }: StrataTableProps): JSX.Element {
  const large = rows.filter((row) => !isSmall(row));
  const most = findAxisEnd(large.map(({ share }) => toFraction(share)));
  return (
    <DataTable
      class="bars shares"
      rows={rows}
      getKey={({ name }) => name}
      columns={[
        { title: head, kind: 'row', getCell: ({ name }) => name },
        {
          title: 'Blocked %',
          kind: 'number',
          getClass: () => 'percent',
          getCell: (row) => (isSmall(row) ? '–' : formatPercentNumber(toFraction(row.share))),
        },
        {
          title: 'Share',
          kind: 'wide',
          axis: large.length > 0 && <ShareAxis most={most} />,
          getCell: (row) =>
            isSmall(row) ? (
              <span class="aside">fewer than {MIN_SITES} sites</span>
            ) : (
              <BarLine parts={[{ name: 'by-name', fraction: toFraction(row.share) / most }]} />
            ),
        },
        {
          title: 'Sites',
          kind: 'number',
          note: 'sites',
          getCell: ({ name, share }) => (
            <SiteNumber label={`${name}, ${agent} blocked`} sites={share.sites} />
          ),
        },
        {
          title: 'of n',
          kind: 'number',
          note: 'of n',
          getCell: ({ share }) => formatNumber(share.total),
        },
      ]}
    />
  );
}
