// A chart of a report: its title, its controls, and its numbers as CSV.
import { type CsvCell, formatCsvHead, formatCsvLine } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { download } from '../files.tsx';

/** The numbers of a chart. */
export interface ChartTable {
  /** Of its file, without extension. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** A button that saves the numbers of a chart. */
function CsvButton({ table }: { readonly table: () => ChartTable }): JSX.Element {
  const save = (): void => {
    const { name, columns, rows } = table();
    download(`${name}.csv`, formatCsvHead(columns) + rows.map(formatCsvLine).join(''));
  };
  return (
    <button type="button" class="small csv" onClick={save}>
      CSV
    </button>
  );
}

interface ChartProps {
  readonly title: string;
  readonly table: () => ChartTable;
  /** Controls of the chart. */
  readonly controls?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A chart with a title, and its CSV. */
export function Chart({ title, table, controls, children }: ChartProps): JSX.Element {
  return (
    <figure class="chart">
      <figcaption class="bar">
        <h3 class="grow">{title}</h3>
        {controls}
        <CsvButton table={table} />
      </figcaption>
      {children}
    </figure>
  );
}
