// The shares of parts of the sites that block one agent, as bars. A part with few sites has no bar.
import type { Stratum } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatNumber } from '../../shared/text.ts';
import { type Base, getBlocked, type Share, toFraction } from '../data/shares.ts';
import { isSmall, ShareTable } from './share-table.tsx';

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
    .sort(
      (a, b) =>
        Number(isSmall(a.share)) - Number(isSmall(b.share)) || toFraction(b.share) - toFraction(a.share),
    );
}

interface StrataTableProps {
  readonly head: string;
  readonly agent: string;
  readonly rows: readonly StratumShare[];
}

export function StrataTable({ head, agent, rows }: StrataTableProps): JSX.Element {
  return (
    <ShareTable
      omitsSmall
      class="shares"
      head={head}
      rows={rows.map(({ name, share }) => ({ key: name, name, share, label: `${name}, ${agent} blocked` }))}
      columns={[
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
