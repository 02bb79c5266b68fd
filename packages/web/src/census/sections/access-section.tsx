/**
 * What each agent may fetch: all sites of the last crawl, by access.
 *
 * @module
 */
import { SITE_ACCESSES } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Key, Stack } from '../../shared/charts.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { ChartHead, NumberHead } from '../../shared/table/column-head.tsx';
import { formatNumber } from '../../shared/text.ts';
import { getAccess, orderAgents } from '../data/shares.ts';
import { createAccessTable } from '../data/tables.ts';
import { SiteNumber } from '../parts/examples.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Chart, Section } from '../parts/section.tsx';
import { ACCESS_DESCRIPTIONS, ACCESS_LABELS, formatAgent, formatPercent } from '../text.ts';

/** Shows the section. */
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
      title="What agents may fetch"
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
          <table class="access">
            <thead>
              <tr>
                <th scope="col">Agent</th>
                <ChartHead title="Shares" />
                {occurring.map((each) => (
                  <NumberHead key={each}>{ACCESS_LABELS[each]}</NumberHead>
                ))}
              </tr>
            </thead>
            <tbody>
              {orderAgents(access, base).map((agent) => {
                const cells = access[agent] ?? [];
                const name = formatAgent(data, agent);
                const parts = occurring.map((each) => ({ each, sites: getAccess(cells, each) }));
                return (
                  <tr key={data.agents[agent]?.name}>
                    <th scope="row">{name}</th>
                    <td>
                      <Stack
                        label={`${name} may fetch`}
                        parts={parts
                          .filter(({ sites }) => sites.count > 0)
                          .map(({ each, sites }) => ({
                            name: each,
                            label: ACCESS_LABELS[each],
                            count: sites.count,
                          }))}
                      />
                    </td>
                    {parts.map(({ each, sites }) => (
                      <td key={each} class="number">
                        <SiteNumber label={`${name}: ${ACCESS_LABELS[each]}`} sites={sites} />
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
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
