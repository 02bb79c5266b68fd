import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CensusReportData, type ReportDataOptions, readReportData } from 'maycrawl/census';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeGeneratedCensus } from '../support/generated-census.ts';

let folder: string;
const at = (name: string): string => join(folder, name);

const BLOCKING = 'User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n';
const GPTBOT_ONLY = 'User-agent: GPTBot\nDisallow: /\n';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-user-data-'));
  for (const [place, name] of ['first', 'second'].entries())
    await writeGeneratedCensus(at(name), [
      { url: 'https://a.com/robots.txt', status: 200, body: BLOCKING },
      { url: 'https://www.b.de/robots.txt', status: 200, body: GPTBOT_ONLY },
      { url: 'https://press.c.org/robots.txt', status: 200, body: place === 0 ? '' : GPTBOT_ONLY },
      { url: 'https://shop.c.org/robots.txt', status: 404, body: '' },
      { url: 'https://d.net/robots.txt', status: 503, body: '', time: `202${place}-03-04T00:00:00Z` },
    ]);
  writeFileSync(
    at('names.csv'),
    'Site,category,visits\nA.com,press,5\nhttps://b.de/,shop,6\nc.org,press,7\nshop.c.org,shop,8\nshop.c.org,games,9\nelsewhere.org,games,1\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (options: Partial<ReportDataOptions>): Promise<CensusReportData> =>
  readReportData([at('first'), at('second')], {
    ...{ maycrawl: '0.1.0', limits: { memory: 500e6, threads: 1 } },
    ...options,
  });

/** The sites of a number by agent and access. */
const listSites = ({ access }: CensusReportData['tlds'][number], agent: number): readonly string[] =>
  (access[agent] ?? []).map(
    (cell) =>
      `${cell.access}: ${cell.sites.examples
        .map(({ host }) => host)
        .sort()
        .join(' ')}`,
  );

test('a site has the category of its name, else of its name without www., else of its registrable domain', async () => {
  const { categories, agents, sources } = await read({ tables: [{ name: 'names', path: at('names.csv') }] });
  const gptbot = agents.findIndex(({ name }) => name === 'GPTBot');
  expect(categories.map(({ table, column, sites }) => [table, column, sites])).toEqual([
    ['names', 'category', 4],
  ]);
  const [category] = categories;
  const values = category?.values.map((each) => [each.name, each.sites, listSites(each, gptbot)]);
  expect(values).toEqual([
    ['press', 2, ['none: a.com press.c.org']],
    // It is in two categories, and not in that of its domain.
    ['shop', 2, ['none: www.b.de', 'no-file: shop.c.org']],
    ['games', 1, ['no-file: shop.c.org']],
  ]);
  expect(category?.others).toBeNull();
  expect(category?.missing).toMatchObject({ sites: 1 });
  expect(sources).toMatchObject([{ option: '--table', file: 'names.csv', rows: 6 }]);
});

test('a table without a column of texts cannot be compared', async () => {
  writeFileSync(at('numbers.csv'), 'site,visits\na.com,1\n');
  await expect(read({ tables: [{ name: 'numbers', path: at('numbers.csv') }] })).rejects.toThrow(
    'the table needs a column of sites, and one of texts such as categories',
  );
});

test('a group counts the sites that block any of its agents, and all of them, in each crawl', async () => {
  const { groups } = await read({ groups: [{ name: 'AI training', agents: ['gptbot', 'CCBot'] }] });
  expect(
    groups.map(({ name, crawls }) => [name, crawls.map(({ any, all }) => [any.count, all.count])]),
  ).toEqual([
    [
      'AI training',
      [
        [2, 1],
        [3, 1],
      ],
    ],
  ]);
  const [last] = groups[0]?.crawls.slice(-1) ?? [];
  expect(last?.all.examples).toMatchObject([{ host: 'a.com', witnesses: [{ isAllowed: false, line: 3 }] }]);
});

test('a break that the user states precedes a crawl', async () => {
  const { breaks } = await read({ breaks: [{ crawl: 'second', text: 'Another list of sites.' }] });
  expect(breaks).toEqual([{ before: 1, text: 'Another list of sites.' }]);
  for (const crawl of ['first', 'third'])
    await expect(read({ breaks: [{ crawl, text: 'x' }] })).rejects.toThrow(
      `a break must precede second, not ${crawl}`,
    );
});
