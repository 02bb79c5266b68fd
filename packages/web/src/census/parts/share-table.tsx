// Shares of sites as bars. The number of sites of each opens its examples.
import type { ComponentChildren, JSX } from 'preact';
import { BarLine } from '../../shared/charts/charts.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { findAxisEnd, MIN_SITES, type Share, toFraction } from '../data/shares.ts';
import { formatPercentNumber } from '../text.ts';
import { ShareAxis } from './axis.tsx';
import { SiteNumber } from './examples.tsx';

export interface ShareRow {
  readonly key: string | number;
  readonly name: ComponentChildren;
  readonly share: Share;
  /** What the sites are, for the title of their examples. */
  readonly label: string;
  /** The parts of the bar, each with the class of its colour. @defaultValue one of the class `by-name` */
  readonly parts?: readonly { readonly name: string; readonly share: Share }[];
  /** Describes the bar to a pointer. */
  readonly title?: string;
}

interface ShareTableProps<Row> {
  readonly class: 'blocked' | 'shares';
  readonly head: string;
  readonly rows: readonly Row[];
  /** @defaultValue `Blocked` */
  readonly verb?: string;
  /** Whether rows with few sites have no bar. @defaultValue false */
  readonly omitsSmall?: boolean;
  readonly columns?: readonly Column<Row>[];
}

export function isSmall({ total }: Share): boolean {
  return total < MIN_SITES;
}

export function ShareTable<Row extends ShareRow>(props: ShareTableProps<Row>): JSX.Element {
  const { head, rows, verb = 'Blocked', omitsSmall = false, columns = [] } = props;
  const isOmitted = ({ share }: Row): boolean => omitsSmall && isSmall(share);
  const shown = rows.filter((row) => !isOmitted(row));
  const most = findAxisEnd(shown.map(({ share }) => toFraction(share)));
  return (
    <DataTable
      class={`bars ${props.class}`}
      rows={rows}
      getKey={({ key }) => key}
      columns={[
        { title: head, kind: 'row', getCell: ({ name }) => name },
        {
          title: `${verb} %`,
          kind: 'number',
          getClass: () => 'percent',
          getCell: (row) => (isOmitted(row) ? '–' : formatPercentNumber(toFraction(row.share))),
        },
        {
          title: 'Share',
          kind: 'wide',
          axis: (shown.length > 0 || !omitsSmall) && <ShareAxis most={most} />,
          getCell: (row) =>
            isOmitted(row) ? (
              <span class="aside">fewer than {MIN_SITES} sites</span>
            ) : (
              <BarLine
                {...(row.title !== undefined && { title: row.title })}
                parts={(row.parts ?? [{ name: 'by-name', share: row.share }]).map(({ name, share }) => ({
                  name,
                  fraction: toFraction(share) / most,
                }))}
              />
            ),
        },
        {
          title: 'Sites',
          kind: 'number',
          note: 'sites',
          getCell: ({ label, share }) => <SiteNumber label={label} sites={share.sites} />,
        },
        ...columns,
      ]}
    />
  );
}
