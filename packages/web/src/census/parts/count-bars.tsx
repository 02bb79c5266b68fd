// Numbers of sites as bars. Each opens its examples.
import type { SiteCount } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Bars } from '../../shared/charts/charts.tsx';
import { formatShare } from '../../shared/text.ts';
import { Axis } from './axis.tsx';
import { useExamples } from './examples.tsx';

/** A number of sites. */
export interface CountRow {
  readonly label: string;
  readonly sites: SiteCount;
  readonly description?: string;
}

interface CountBarsProps {
  readonly head: string;
  readonly rows: readonly CountRow[];
  /** What the shares are of. */
  readonly total: number;
}

export function CountBars({ head, rows, total }: CountBarsProps): JSX.Element {
  const open = useExamples();
  const most = rows.reduce((max, { sites }) => Math.max(max, sites.count), 1);
  return (
    <Bars
      {...{ head, total }}
      unit="sites"
      digits={1}
      axis={<Axis labels={['0', formatShare(most, total, 1)]} />}
      // A name is also a class of the style: labels are not.
      rows={rows.map(({ sites, ...row }, index) => ({ ...row, name: `row-${index}`, count: sites.count }))}
      onCount={(name) => {
        const row = rows[Number(name.slice('row-'.length))];
        if (row !== undefined) open(`${head}: ${row.label}`, row.sites);
      }}
    />
  );
}
