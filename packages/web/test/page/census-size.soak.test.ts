import { stat } from 'node:fs/promises';
import type { CensusReportData, Example, SiteCount } from 'maycrawl/api';
import { describe, expect, test } from 'vitest';
import { createReportData } from '../../../maycrawl/test/support/census-report.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { writeCensusReport } from './support/census-report.ts';
import { prepareReports } from './support/reports.ts';

const AGENTS = 40;
const CRAWLS = 18;

/** Data of more agents and crawls than the generator has. Each number has twenty examples of its own, unlike in a real report. */
function createLargeReport(): CensusReportData {
  const data = createReportData(600, 9);
  const expand = <Item>(items: readonly Item[]): Item[] => repeat(items, AGENTS);
  const expandAccess = <Part extends { readonly access: readonly unknown[] }>(part: Part): Part => ({
    ...part,
    access: expand(part.access),
  });
  const { panel, matrix } = data;
  const large: CensusReportData = {
    ...data,
    agents: expand(data.agents).map((agent, index) => ({ ...agent, name: `${agent.name}-${index}` })),
    crawls: repeat(data.crawls, CRAWLS).map((crawl, index) =>
      expandAccess({ ...crawl, name: `${crawl.name} ${index}` }),
    ),
    ranks: data.ranks.map(expandAccess),
    tlds: repeat(data.tlds, 31).map((tld, index) => expandAccess({ ...tld, name: `${tld.name}${index}` })),
    weights: data.weights.map(expandAccess),
    matrix: {
      ...matrix,
      both: Array.from({ length: AGENTS }, (_, one) => repeat(matrix.both[0] ?? [], AGENTS - one)),
    },
    panel: panel && {
      ...panel,
      access: repeat(panel.access, CRAWLS).map(expand),
      firstBlocked: expand(panel.firstBlocked),
    },
    transitions: Array.from({ length: CRAWLS - 1 }, (_, from) => ({
      ...(data.transitions[from % data.transitions.length] as CensusReportData['transitions'][number]),
      ...{ from, to: from + 1 },
    })).map((transition) => ({ ...transition, agents: expand(transition.agents) })),
    generators: data.generators.map((each) => ({ ...each, blocked: expand(each.blocked) })),
    readings: data.readings.map((each) => ({ ...each, agents: expand(each.agents) })),
  };
  return giveExamples(large, { next: 0 }) as CensusReportData;
}

/** Makes numbers larger, and gives each of them examples of its own. */
function giveExamples(value: unknown, hosts: { next: number }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => giveExamples(each, hosts));
  if ('examples' in value) {
    const { count, examples } = value as SiteCount;
    const list = examples.length === 0 ? [] : repeat(examples, 20);
    return {
      count: count * 2_000,
      examples: list.map((example): Example => ({ ...example, host: `www.site-${hosts.next++}.example` })),
    };
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, giveExamples(each, hosts)]));
}

function repeat<Item>(items: readonly Item[], length: number): Item[] {
  return Array.from({ length }, (_, index) => items[index % items.length] as Item);
}

describe.skipIf(isChromiumMissing)(`the report of a large census${NEEDS}`, () => {
  const { write, start } = prepareReports(writeCensusReport);

  test('40 agents and 18 crawls: the file is smaller than 10 MB, and opens', async () => {
    const data = createLargeReport();
    const path = await write('large', data);
    expect((await stat(path)).size).toBeLessThan(10_000_000);
    const page = await start(path);
    // The data would show nothing if examples were not omitted.
    await page.locator('#methods').getByText('Each number opens at most 10 examples').waitFor();
    // A group has a row for any, and one for all of its agents.
    expect(await page.locator('#blocked tbody tr').count()).toBe(AGENTS + 2 * data.groups.length);
    expect(await page.locator('.small-chart').count()).toBe(AGENTS);
  });
});
