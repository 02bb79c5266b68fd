// A section of the report: what it receives, its finding, its charts with their CSV, and the choice of an agent.
import { type CensusReportData, formatCsvHead, formatCsvLine } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { Select } from '../../shared/fields/select.tsx';
import { download } from '../../shared/files.tsx';
import type { ChartTable } from '../data/tables.ts';
import { SECTIONS, type SectionName, type View } from '../data/view.ts';
import { formatAgent } from '../text.ts';

/** The data, and what is chosen. */
export interface SectionProps {
  readonly data: CensusReportData;
  readonly view: View;
  readonly onChange: (part: Partial<View>) => void;
}

interface CardProps {
  readonly name: SectionName;
  /** What the chart shows, in a sentence with numbers. */
  readonly finding?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ name, finding, children }: CardProps): JSX.Element {
  return (
    <section class="card" id={name} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} tabIndex={-1}>
        {SECTIONS[name].title}
      </h2>
      {finding !== undefined && <p class="finding">{finding}</p>}
      {children}
    </section>
  );
}

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
  readonly controls?: ComponentChildren;
  readonly children: ComponentChildren;
}

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

export function AgentSelect({ data, view, onChange }: SectionProps): JSX.Element {
  return (
    <Select
      label="Agent"
      value={view.agent}
      choices={data.agents.map((_, agent) => [agent, formatAgent(data, agent)])}
      onChoose={(agent) => onChange({ agent })}
    />
  );
}
