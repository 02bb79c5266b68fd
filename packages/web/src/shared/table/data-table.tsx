// A table whose columns are data: each has its head, and the content of its cells.
import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  /** Distinguishes the column, and is its visible head unless there is a `head`. */
  readonly title: string;
  readonly head?: ComponentChildren;
  /**
   * `row`: its cells are the heads of their rows; `number`: numbers; `chart`: drawings, whose head only screen readers have; `wide`: the
   * same with most of the width; `half`: half of a drawing, without a head.
   *
   * @defaultValue `text`
   */
  readonly kind?: 'text' | 'row' | 'number' | 'chart' | 'wide' | 'half';
  readonly getCell: (row: Row, index: number) => ComponentChildren;
  /** The axis of drawings, above them. Screen readers have the numbers beside the drawings instead. */
  readonly axis?: ComponentChildren;
  /** Further classes of a cell. */
  readonly getClass?: (row: Row) => string;
  /** Describes the cell where there is no space for heads. */
  readonly note?: string;
}

interface DataTableProps<Row> {
  readonly class?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** @defaultValue the index of the row */
  readonly getKey?: (row: Row) => string | number;
  readonly getRowClass?: (row: Row) => string;
}

export function DataTable<Row>(props: DataTableProps<Row>): JSX.Element {
  const { columns, rows, getKey, getRowClass } = props;
  return (
    <table class={props.class}>
      <thead>
        <tr>
          {columns.map((column) => (
            <ColumnHead key={column.title} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={getKey?.(row) ?? index} class={getRowClass?.(row)}>
            {columns.map((column) => (
              <Cell key={column.title} {...{ column, row, index }} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ColumnHead<Row>({ column }: { readonly column: Column<Row> }): JSX.Element {
  const { title, head = title, kind, axis } = column;
  if (kind === 'number') return <NumberHead>{head}</NumberHead>;
  if (kind === 'half')
    return (
      <td class="half" aria-hidden="true">
        {axis}
      </td>
    );
  if (kind !== 'chart' && kind !== 'wide') return <th scope="col">{head}</th>;
  return (
    <th scope="col" class={kind === 'wide' ? 'wide' : undefined}>
      <span class="unseen">{title}</span>
      {axis !== undefined && <div aria-hidden="true">{axis}</div>}
    </th>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly index: number;
}

function Cell<Row>({ column, row, index }: CellProps<Row>): JSX.Element {
  const { kind, getCell, getClass, note } = column;
  if (kind === 'row') return <th scope="row">{getCell(row, index)}</th>;
  const classes = [kind === 'chart' || kind === 'text' ? '' : kind, getClass?.(row)];
  return (
    <td class={classes.filter(Boolean).join(' ') || undefined} data-label={note}>
      {getCell(row, index)}
    </td>
  );
}

/** The head of a column of numbers, for tables with other rows. */
export function NumberHead({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <th scope="col" class="number">
      {children}
    </th>
  );
}
