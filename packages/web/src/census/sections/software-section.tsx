// Software and services that generate files, and the most frequent files.
import { truncate } from '@maycrawl/core/internal';
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { countBase, getBlocked, NO_SITES, orderAgents } from '../data/shares.ts';
import { createCommonFilesTable, createSoftwareTable } from '../data/tables.ts';
import { CountBars } from '../parts/count-bars.tsx';
import { SiteNumber } from '../parts/examples.tsx';
import { HeatTable } from '../parts/heat-table.tsx';
import { Section, type SectionProps } from '../parts/section.tsx';
import { BASE_LABELS, formatAgent, formatPercent } from '../text.ts';

const SOFTWARE: Column<CensusReportData['commonFiles'][number]> = {
  title: 'Software',
  getCell: ({ generator }) => (generator === null ? 'not recognised' : visible(generator, 80)),
};

export function SoftwareSection({ data, view: { base } }: SectionProps): JSX.Element {
  const access = data.crawls.at(-1)?.access ?? [];
  const files = countBase(access[0] ?? [], 'files');
  const order = orderAgents(access, base);
  const [first = 0] = order;
  const blocked = getBlocked(access[first] ?? [], base).sites.count;
  const [largest] = [...data.generators].sort(
    (a, b) => (b.blocked[first]?.count ?? 0) - (a.blocked[first]?.count ?? 0),
  );
  const share = { sites: largest?.blocked[first] ?? NO_SITES, total: blocked };
  return (
    <Section
      name="software"
      finding={
        share.sites.count > 0 ? (
          <>
            <b>{formatPercent(share)}</b> of the sites that block {formatAgent(data, first)} have a file of{' '}
            <b>{visible(largest?.name ?? '', 80)}</b>: their owners may not have written it.
          </>
        ) : (
          data.commonFiles[0] !== undefined && (
            <>
              The most frequent file is that of{' '}
              <b>{formatPercent({ sites: data.commonFiles[0].sites, total: files })}</b> of{' '}
              {formatNumber(files)} {BASE_LABELS.files}.
            </>
          )
        )
      }
    >
      {data.generators.length > 0 && (
        <>
          <Chart
            title={`Sites by software of the file, in % of ${formatNumber(files)} sites with a robots.txt file`}
            table={() => createSoftwareTable(data)}
          >
            <CountBars
              head="Software"
              total={files}
              rows={data.generators.map((each) => ({
                label: visible(each.name, 80),
                sites: each.sites,
                description: `${formatNumber(each.files)} distinct files`,
              }))}
            />
          </Chart>
          <Chart
            title="Sites that block an agent, in % of the sites of each software"
            table={() => createSoftwareTable(data)}
          >
            <HeatTable
              label="Blocked, by software"
              head="Agent"
              columns={data.generators.map(({ name, sites }) => ({
                name: visible(name, 80),
                note: `${formatNumber(sites.count)} sites`,
              }))}
              rows={order.map((agent) => {
                const name = formatAgent(data, agent);
                return {
                  name,
                  cells: data.generators.map((generator) => ({
                    share: {
                      sites: generator.blocked[agent] ?? NO_SITES,
                      total: generator.sites.count,
                    },
                    label: `${visible(generator.name, 80)}: ${name} blocked`,
                  })),
                };
              })}
            />
          </Chart>
        </>
      )}
      {data.commonFiles.length > 0 && (
        <Chart title="The most frequent files" table={() => createCommonFilesTable(data)}>
          <ScrollRegion label="The most frequent files">
            <DataTable
              class="common"
              rows={data.commonFiles}
              getKey={({ digest }) => digest}
              columns={[
                {
                  title: 'SHA-256',
                  kind: 'row',
                  getCell: ({ digest }) => <code>{truncate(digest, 13)}</code>,
                },
                ...(data.generators.length > 0 ? [SOFTWARE] : []),
                { title: 'Bytes', kind: 'number', getCell: ({ bytes }) => formatNumber(bytes) },
                { title: 'Rules', kind: 'number', getCell: ({ rules }) => formatNumber(rules) },
                {
                  title: 'Sites',
                  kind: 'number',
                  getCell: ({ digest, sites }) => (
                    <SiteNumber label={`File ${digest.slice(0, 12)}`} sites={sites} />
                  ),
                },
              ]}
            />
          </ScrollRegion>
        </Chart>
      )}
    </Section>
  );
}
