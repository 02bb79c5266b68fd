/** Reports of each kind, by the schema, which docs/crawler-conformance.schema.json repeats. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { CONFORMANCE_REPORT, type ConformanceReport } from '../../src/api/conformance-report.ts';
import { openConformanceServer } from '../../src/conformance/conformance-server.ts';
import { AUTHORITIES } from '../../src/conformance/scenario.ts';
import { SCENARIOS } from '../../src/conformance/scenarios/scenarios.ts';
import { ROOT } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const isValid = new Ajv2020({ allowUnionTypes: true }).compile(CONFORMANCE_REPORT);

/** Parses a report. @throws if it does not have the schema. */
function parseReport(text: string): ConformanceReport {
  const value: unknown = JSON.parse(text);
  if (!isValid(value)) throw new Error(`${text}: ${JSON.stringify(isValid.errors)}`);
  return value as ConformanceReport;
}

test('reports with each outcome have the schema', async () => {
  // The requests for each scenario.
  const crawl: Readonly<Record<string, readonly string[]>> = {
    'status-200': ['/robots.txt', '/open/1', '/open/2'],
    'status-404': ['/robots.txt', '/open/1', '/robots.txt', '/open/2'],
    'status-429': ['/robots.txt', '/open/1', '/open/2', '/private/1', '/private/2'],
    'status-500': ['/open/1', '/robots.txt', '/private/1', '/none'],
    'outage-ends': ['/robots.txt', '/robots.txt', '/robots.txt', '/open/1'],
    'redirect-loop': ['/robots.txt'],
    'status-503': [],
  };
  const server = await openConformanceServer({ port: 0, agent: 'Bot', scenarios: Object.keys(crawl) });
  try {
    const readReport = async (): Promise<ConformanceReport> =>
      parseReport(await (await fetch(new URL('/report.json', server.url))).text());
    expect((await readReport()).scenarios.map(({ rfc9309 }) => rfc9309.outcome)).toEqual(
      Object.keys(crawl).map(() => 'not-visited'),
    );
    for (const [index, paths] of Object.values(crawl).entries())
      for (const path of paths)
        await fetch(new URL(path, server.starts[index]), {
          redirect: 'manual',
          headers: { 'user-agent': 'Bot "\u00e9"', 'if-none-match': '"1"' },
        });
    const { scenarios } = await readReport();
    const judgements = scenarios.flatMap((each) => AUTHORITIES.map((authority) => each[authority]));
    const collect = (values: readonly unknown[]): unknown[] => [...new Set(values)].sort();
    expect(collect(judgements.map(({ outcome }) => outcome))).toEqual([
      ...['failed', 'not-visited', 'over-cautious', 'passed'],
    ]);
    expect(collect(judgements.map(({ requirement }) => requirement.forbidden))).toEqual([
      ...['all', 'none', 'private'],
    ]);
    expect(collect(scenarios.map(({ cached }) => cached))).toEqual([false, null, true]);
    expect(scenarios.find(({ id }) => id === 'status-500')).toMatchObject({
      ...{ userAgents: ['Bot "\u00e9"'], beforeRobots: ['/open/1'], otherRequests: 1 },
      google: { outcome: 'failed', forbidden: ['/open/1', '/private/1'] },
    });
  } finally {
    await server.close();
  }
});

test('the report about all scenarios has the schema, with and without a vector', async () => {
  const server = await openConformanceServer({ port: 0, agent: 'Bot' });
  try {
    const { scenarios } = parseReport(JSON.stringify({ scenarios: server.getReport() }));
    expect(scenarios).toHaveLength(SCENARIOS.length);
    const vectors = scenarios.map(({ rfc9309 }) => rfc9309.requirement.vector !== undefined);
    expect(new Set(vectors)).toEqual(new Set([true, false]));
  } finally {
    await server.close();
  }
});

test('the command prints a report with the schema', async () => {
  const { stdout } = await runHere('conformance serve --port 0 --scenario status-200 --idle 1s --json');
  expect(parseReport(stdout).scenarios).toHaveLength(1);
});

test('other JSON does not have the schema', () => {
  for (const other of [{}, { scenarios: [{}] }, { scenarios: [], more: 1 }])
    expect(isValid(other)).toBe(false);
});

test('docs/crawler-conformance.schema.json is the schema', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The report of maycrawl conformance serve',
    ...CONFORMANCE_REPORT,
  };
  const path = join(ROOT, 'docs/crawler-conformance.schema.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(schema);
});
