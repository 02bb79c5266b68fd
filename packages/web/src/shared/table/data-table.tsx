// A table whose columns are data: each has its head, and the content of its cells.
import { type ComponentChildren, Fragment, type JSX } from 'preact';
import type { SortState } from './sort-button.tsx';

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
  /** How the table is sorted by the column. @defaultValue its head does not sort */
  readonly sorted?: SortState;
}

interface TableProps<Row> {
  readonly class?: string;
  readonly columns: readonly Column<Row>[];
  readonly getRowClass?: (row: Row) => string;
  /** What is shown below a row, in its whole width; `null` for nothing. */
  readonly getDetails?: (row: Row) => ComponentChildren;
}

interface DataTableProps<Row> extends TableProps<Row> {
  readonly rows: readonly Row[];
  /** @defaultValue the index of the row */
  readonly getKey?: (row: Row) => string | number;
}

export function DataTable<Row>(props: DataTableProps<Row>): JSX.Element {
  return (
    <table class={props.class}>
      <Head columns={props.columns} />
      <tbody>
        <Rows {...props} />
      </tbody>
    </table>
  );
}

/** Rows with a common head. */
interface RowGroup<Row> {
  /** Distinguishes the group. */
  readonly name: string;
  readonly head: ComponentChildren;
  readonly rows: readonly Row[];
  /** What follows its rows. @defaultValue nothing */
  readonly foot?: ComponentChildren;
}

interface GroupedTableProps<Row> extends TableProps<Row> {
  readonly groups: readonly RowGroup<Row>[];
  readonly getKey: (row: Row) => string | number;
}

/** The same with groups of rows. */
export function GroupedTable<Row>({ groups, ...props }: GroupedTableProps<Row>): JSX.Element {
  const { columns } = props;
  return (
    <table class={props.class}>
      <Head columns={columns} />
      {groups.map(({ name, head, rows, foot }) => (
        <tbody key={name}>
          <tr class="group">
            <th scope="rowgroup" colSpan={columns.length}>
              {head}
            </th>
          </tr>
          <Rows {...props} rows={rows} />
          {foot && (
            <tr class="foot">
              <td colSpan={columns.length}>{foot}</td>
            </tr>
          )}
        </tbody>
      ))}
    </table>
  );
}

function Head<Row>({ columns }: { readonly columns: readonly Column<Row>[] }): JSX.Element {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <ColumnHead key={column.title} column={column} />
        ))}
      </tr>
    </thead>
  );
}

function Rows<Row>(props: DataTableProps<Row>): JSX.Element {
  const { columns, rows, getKey, getRowClass, getDetails } = props;
  return (
    <>
      {rows.map((row, index) => {
        const details = getDetails?.(row) ?? null;
        return (
          <Fragment key={getKey?.(row) ?? index}>
            <tr class={getRowClass?.(row)}>
              {columns.map((column) => (
                <Cell key={column.title} {...{ column, row, index }} />
              ))}
            </tr>
            {details !== null && (
              <tr class="details">
                <td colSpan={columns.length}>{details}</td>
              </tr>
            )}
          </Fragment>
        );
      })}
    </>
  );
}

function ColumnHead<Row>({ column }: { readonly column: Column<Row> }): JSX.Element {
  const { title, head = title, kind, axis, sorted } = column;
  if (kind === 'number') return <NumberHead sorted={sorted}>{head}</NumberHead>;
  if (kind === 'half')
    return (
      <td class="half" aria-hidden="true">
        {axis}
      </td>
    );
  if (kind !== 'chart' && kind !== 'wide')
    return (
      <th scope="col" aria-sort={sorted}>
        {head}
      </th>
    );
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

interface NumberHeadProps {
  readonly sorted?: SortState | undefined;
  readonly children: ComponentChildren;
}

/** The head of a column of numbers, for tables with other rows. */
export function NumberHead({ sorted, children }: NumberHeadProps): JSX.Element {
  return (
    <th scope="col" class="number" aria-sort={sorted}>
      {children}
    </th>
  );
}
