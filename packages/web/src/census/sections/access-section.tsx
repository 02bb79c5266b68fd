// What each agent may fetch: all sites of the last crawl, by access.
import { SITE_ACCESSES } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { Key, Stack } from '../../shared/charts/charts.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { getAccess, orderAgents } from '../data/shares.ts';
import { createAccessTable } from '../data/tables.ts';
import { ShareAxis } from '../parts/axis.tsx';
import { SiteNumber } from '../parts/examples.tsx';
import { Section, type SectionProps } from '../parts/section.tsx';
import { ACCESS_DESCRIPTIONS, ACCESS_LABELS, formatAgent, formatPercent } from '../text.ts';

export function AccessSection({ data, view: { base } }: SectionProps): JSX.Element {
  const crawl = data.crawls.at(-1);
  const access = crawl?.access ?? [];
  const total = crawl?.sites ?? 0;
  const occurring = SITE_ACCESSES.filter((each) =>
    access.some((cells) => cells.some((cell) => cell.access === each)),
  );
  const noFile = getAccess(access[0] ?? [], 'no-file');
  return (
    <Section
      name="access"
      finding={
        noFile.count > 0 && (
          <>
            <b>{formatPercent({ sites: noFile, total })}</b> of all sites have no robots.txt, so every agent
            may fetch everything there.
          </>
        )
      }
    >
      <Chart
        title={`All ${formatNumber(total)} sites by what the agent may fetch`}
        table={() => createAccessTable(data)}
      >
        <p class="key aside">
          {occurring.map((each) => (
            <Key key={each} name={each} label={ACCESS_LABELS[each]} />
          ))}
        </p>
        <ScrollRegion label="Sites by agent and access">
          <DataTable
            class="access"
            rows={orderAgents(access, base)}
            getKey={(agent) => agent}
            columns={[
              { title: 'Agent', kind: 'row', getCell: (agent) => formatAgent(data, agent) },
              {
                title: 'Shares',
                kind: 'chart',
                axis: <ShareAxis most={1} />,
                getCell: (agent) => (
                  <Stack
                    label={`${formatAgent(data, agent)} may fetch`}
                    parts={occurring
                      .map((each) => ({
                        name: each,
                        label: ACCESS_LABELS[each],
                        count: getAccess(access[agent] ?? [], each).count,
                      }))
                      .filter(({ count }) => count > 0)}
                  />
                ),
              },
              ...occurring.map(
                (each): Column<number> => ({
                  title: ACCESS_LABELS[each],
                  kind: 'number',
                  getCell: (agent) => (
                    <SiteNumber
                      label={`${formatAgent(data, agent)}: ${ACCESS_LABELS[each]}`}
                      sites={getAccess(access[agent] ?? [], each)}
                    />
                  ),
                }),
              ),
            ]}
          />
        </ScrollRegion>
        <details>
          <summary>What the classes mean</summary>
          <dl class="facts">
            {occurring.map((each) => (
              <div key={each}>
                <dt>{ACCESS_LABELS[each]}</dt>
                <dd>{ACCESS_DESCRIPTIONS[each]}</dd>
              </div>
            ))}
          </dl>
        </details>
      </Chart>
    </Section>
  );
}
