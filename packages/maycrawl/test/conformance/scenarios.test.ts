/** The scenarios agree with the vectors about fetching, and the client passes them under the profile of each document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RobotsClient } from '@maycrawl/client';
import { createRobotsFetch } from '@maycrawl/client/fetch';
import { expect, test } from 'vitest';
import type { Requirement, ScenarioReport } from '../../src/api/conformance-report.ts';
import { openConformanceServer } from '../../src/conformance/conformance-server.ts';
import { AUTHORITIES, type Authority } from '../../src/conformance/scenario.ts';
import { SCENARIOS } from '../../src/conformance/scenarios/scenarios.ts';
import { ROOT } from '../support/run.ts';

interface Vector {
  readonly id: string;
  readonly profile?: string;
  readonly steps: readonly [{ readonly policy: string; readonly allowed: boolean }];
}

const VECTORS = new Map(
  readFileSync(join(ROOT, 'conformance/fetching.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, Vector] => {
      const vector = JSON.parse(line) as Vector;
      return [vector.id, vector];
    }),
);

const requirements = SCENARIOS.flatMap(({ id, phases }) =>
  phases.flatMap((phase) => AUTHORITIES.map((authority) => [id, authority, phase[authority]] as const)),
);

/** What the vector says that a crawler must not request. */
function getForbidden({ steps: [{ policy, allowed }] }: Vector): Requirement['forbidden'] {
  if (policy === 'unreachable') return 'all';
  return allowed ? 'none' : 'private';
}

test('each expectation has the result of the vector that it names, under the profile of its document', () => {
  const named = requirements.filter(([, , { vector }]) => vector !== undefined);
  expect(named.length).toBeGreaterThan(40);
  for (const [id, authority, { vector = '', forbidden }] of named) {
    const row = VECTORS.get(vector) as Vector;
    expect([id, row.profile ?? 'google', getForbidden(row)]).toEqual([id, authority, forbidden]);
  }
});

test('the documents differ about status 429 only', () => {
  const differs = ({ phases }: (typeof SCENARIOS)[number]): boolean =>
    phases.some(({ rfc9309, google }) => rfc9309.forbidden !== google.forbidden);
  expect(SCENARIOS.filter(differs).map(({ id }) => id)).toEqual(['status-429']);
});

test('ids are unique, and each expectation names its source', () => {
  expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length);
  for (const [, authority, { source }] of requirements)
    expect(source).toMatch(
      authority === 'google' ? /^How Google interprets .*, \w/ : /^RFC 9309 section 2\.\d/,
    );
});

/** Visits all sites, and the pages that their start pages link to. */
async function crawlAll(
  starts: readonly string[],
  fetchPage: (url: string) => Promise<Response>,
): Promise<void> {
  const visit = async (url: string): Promise<string> =>
    fetchPage(url).then(
      (response) => response.text(),
      () => '',
    );
  await Promise.all(
    starts.map(async (start) => {
      for (const [, link = ''] of (await visit(start)).matchAll(/href="([^"]+)"/g))
        await visit(new URL(link, start).href);
    }),
  );
}

/** The scenarios whose outcome is another one. */
const listOthers = (reports: readonly ScenarioReport[], authority: Authority, outcome: string) =>
  reports.filter((report) => report[authority].outcome !== outcome).map(({ id }) => id);

/** The site that never responds: only there may a deadline pass. */
const SILENT = 'no-response';

/** Lets a client visit sites under a profile. */
async function crawlByProfile(
  profile: Authority,
  scenarios: readonly string[],
  timeout: number,
): Promise<ScenarioReport[]> {
  const server = await openConformanceServer({ port: 0, agent: 'TestBot', scenarios });
  const client = new RobotsClient({
    agent: 'TestBot',
    userAgent: 'TestBot/1.0',
    profile,
    timeout,
    allowPrivateAddresses: true,
  });
  try {
    await crawlAll(server.starts, createRobotsFetch(client));
    return server.getReport();
  } finally {
    await server.close();
  }
}

test.each(AUTHORITIES)('the client passes all scenarios under the profile %s', async (profile) => {
  const ids = SCENARIOS.map(({ id }) => id).filter((id) => id !== SILENT);
  const reports = await crawlByProfile(profile, ids, 60_000);
  expect(listOthers(reports, profile, 'passed')).toEqual([]);
  expect(reports.filter(({ robotsRequests }) => robotsRequests !== 1)).toEqual([]);
  expect(reports.filter(({ beforeRobots }) => beforeRobots.length > 0)).toEqual([]);
  expect(reports.find(({ id }) => id === 'cache')?.cached).toBe(true);
});

test('the client requests no page of a site that never responds', async () => {
  const [report] = await crawlByProfile('google', [SILENT], 500);
  expect(report).toMatchObject({ pageRequests: 0, google: { outcome: 'passed' } });
});

test('a crawler that reads no robots.txt fails wherever a page is forbidden, and misses nothing', async () => {
  const server = await openConformanceServer({ port: 0, agent: 'TestBot' });
  try {
    await crawlAll(server.starts, fetch);
    const reports = server.getReport();
    const isOpen = ({ rfc9309 }: ScenarioReport): boolean => rfc9309.requirement.forbidden === 'none';
    expect(listOthers(reports, 'rfc9309', 'failed')).toEqual(reports.filter(isOpen).map(({ id }) => id));
    expect(reports.flatMap(({ rfc9309 }) => rfc9309.missed)).toEqual([]);
    const [first] = reports;
    expect(first?.rfc9309.forbidden).toEqual(['/private/1', '/private/2']);
    expect(first?.beforeRobots).toEqual(['/open/1', '/open/2', '/private/1', '/private/2']);
  } finally {
    await server.close();
  }
});

test('docs/crawler-conformance.md is what scenarios and results generate (otherwise: npm run conformance:crawlers)', async () => {
  const folder = join(ROOT, 'conformance/crawlers');
  const { formatPage } = await import(pathToFileURL(join(folder, 'page.mjs')).href);
  const results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  expect(readFileSync(join(ROOT, 'docs/crawler-conformance.md'), 'utf8')).toBe(
    formatPage(SCENARIOS, results),
  );
});
