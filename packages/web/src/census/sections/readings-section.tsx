// How much a result depends on the parser: sites whose class is another one as other programs read the files.
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { NumberHead } from '../../shared/table/data-table.tsx';
import { visible } from '../../shared/visible.ts';
import { getDifferent, NO_SITES, type ReadingCells, type Share, toFraction } from '../data/shares.ts';
import { createReadingTable } from '../data/tables.ts';
import { SiteNumber } from '../parts/examples.tsx';
import { HeatTable } from '../parts/heat-table.tsx';
import { AgentSelect, Section, type SectionProps } from '../parts/section.tsx';
import { BASE_LABELS, formatAgent, formatPercent } from '../text.ts';

export function ReadingsSection(props: SectionProps): JSX.Element {
  const { data, view } = props;
  const name = formatAgent(data, view.agent);
  const shares = data.readings.map(({ agents }) => getDifferent(agents[view.agent] ?? []));
  const worst = shares.reduce(
    (max, share, index) => (toFraction(share) > toFraction(shares[max] as Share) ? index : max),
    0,
  );
  return (
    <Section
      name="readings"
      finding={
        <>
          As <b>{visible(data.readings[worst]?.name ?? '', 60)}</b> reads the files,{' '}
          <b>{formatPercent(shares[worst] as Share)}</b> of {BASE_LABELS.files} have another class for {name}{' '}
          than the proved one. Compare results of studies with this in mind.
        </>
      }
    >
      <Chart
        title={`Sites with another class, in % of ${BASE_LABELS.files}`}
        table={() => createReadingTable(data)}
      >
        <HeatTable
          label="Sites with another class, by reading"
          head="Agent"
          columns={data.readings.map((reading) => ({ name: visible(reading.name, 60) }))}
          rows={data.agents.map((agent, index) => ({
            name: visible(agent.name, 60),
            cells: data.readings.map((reading) => ({
              share: getDifferent(reading.agents[index] ?? []),
              label: `${visible(agent.name, 60)}: another class by ${visible(reading.name, 60)}`,
            })),
          }))}
        />
      </Chart>
      <Chart
        title={`Classes for ${name}: proved, and as other programs read the files`}
        table={() => createReadingTable(data)}
        controls={<AgentSelect {...props} />}
      >
        <ScrollRegion label="Classes by reading">
          <table class="readings">
            <thead>
              <tr>
                <th scope="col">Reading</th>
                <th scope="col">Proved</th>
                {READ.map((read) => (
                  <NumberHead key={read}>{READ_LABELS[read ?? 'error']}</NumberHead>
                ))}
              </tr>
            </thead>
            {data.readings.map((reading) => (
              <ReadingRows key={reading.name} name={reading.name} cells={reading.agents[view.agent] ?? []} />
            ))}
          </table>
        </ScrollRegion>
      </Chart>
    </Section>
  );
}

const PROVED = ['none', 'some', 'all'] as const;
const READ = [...PROVED, 'undecided', null] as const;
const READ_LABELS = {
  ...{ none: 'nothing', some: 'some URLs', all: 'everything' },
  ...{ undecided: 'undecided', error: 'fails' },
} as const;

function ReadingRows({ name, cells }: { readonly name: string; readonly cells: ReadingCells }): JSX.Element {
  const label = visible(name, 60);
  return (
    <tbody>
      {PROVED.map((proved, place) => (
        <tr key={proved}>
          {place === 0 && (
            <th scope="rowgroup" rowSpan={PROVED.length}>
              {label}
            </th>
          )}
          <th scope="row">{READ_LABELS[proved]}</th>
          {READ.map((read) => (
            <td key={read} class={`number${proved === read ? ' same' : ''}`}>
              <SiteNumber
                label={`${label}: ${READ_LABELS[proved]} is read as ${READ_LABELS[read ?? 'error']}`}
                sites={cells.find((cell) => cell.proved === proved && cell.read === read)?.sites ?? NO_SITES}
              />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
