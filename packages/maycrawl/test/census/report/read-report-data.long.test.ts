import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReportData } from '../../../src/census/report/queries/read-report-data.ts';
import { MAX_EXAMPLES } from '../../../src/census/report/report-data.ts';
import { CAPTURES, readTable, writeGeneratedCensus } from '../support/generated-census.ts';
import { countNaively, type NaiveCrawl, toCrawl } from '../support/naive-report.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-report-data-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIMITS = { memory: 500e6, threads: 1 } as const;
const AGENTS = ['GPTBot', 'CCBot', 'Googlebot'];
const READINGS = ['python-3.11', 'exact-rules'];

const NAMES = ['a.com', 'www.a.com', 'b.de', 'c.co.uk', 'e.com', 'f.com', 'elsewhere.org', '192.0.2.1'];
const ranks = fc.array(
  fc.tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom(1, 999, 1_000, 1_001, 10_000, 99_999, 1_000_000, 1_000_001),
  ),
  { minLength: 1, maxLength: 8 },
);
const weights = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(0, 1, 2.5, 1_000_000)), {
  minLength: 1,
  maxLength: 8,
});

describe('the data of a report', () => {
  test('are the numbers and examples that a naive program counts', async () => {
    let number = 0;
    const crawls = fc.array(CAPTURES, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(crawls, ranks, weights, fc.boolean(), async (generated, rank, weight, isOrigin) => {
        const run = join(folder, String(number++));
        const naive: NaiveCrawl[] = [];
        const paths: string[] = [];
        for (const [index, captures] of generated.entries()) {
          const path = join(`${run}-crawl`, String(index));
          // The first capture decides about the order of crawls.
          const first = {
            url: 'https://first.net/robots.txt',
            status: 200,
            body: '',
            time: `202${index}-01-01T00:00:00Z`,
          };
          await writeGeneratedCensus(path, [first, ...captures], { readAs: READINGS });
          naive.push(toCrawl(await readTable(path, 'captures'), await readTable(path, 'files')));
          paths.push(path);
        }
        writeFileSync(
          `${run}-ranks.csv`,
          isOrigin
            ? ['origin,rank', ...rank.map(([name, each]) => `https://${name},${each}`)].join('\n')
            : rank.map(([name, each]) => `${each},${name}\n`).join(''),
        );
        writeFileSync(
          `${run}-weights.csv`,
          ['domain,tokens', ...weight.map((each) => each.join(','))].join('\r\n'),
        );
        const data = await readReportData([...paths].reverse(), {
          maycrawl: '0.1.0',
          ranks: `${run}-ranks.csv`,
          weights: `${run}-weights.csv`,
          limits: LIMITS,
        });
        const expected = countNaively(
          naive,
          AGENTS,
          { ranks: rank, weights: weight },
          MAX_EXAMPLES,
          READINGS,
        );
        expect(data.crawls.map(({ name }) => name)).toEqual(generated.map((_, index) => String(index)));
        for (const [index, crawl] of expected.crawls.entries()) {
          const { sites, statuses, access, outcomes } = data.crawls[index] as (typeof data.crawls)[number];
          expect({ sites, statuses, access }).toEqual({
            sites: crawl.sites,
            statuses: crawl.statuses,
            access: crawl.access,
          });
          expect(outcomes.reduce((sum, { sites: { count } }) => sum + count, 0)).toBe(crawl.sites);
        }
        for (const part of [
          'ranks',
          'tlds',
          'weights',
          'matrix',
          'panel',
          'transitions',
          'commonFiles',
          'sizes',
          'readings',
        ] as const)
          expect(data[part], part).toEqual(expected[part]);
      }),
      { numRuns: 25, seed: 2 },
    );
  }, 120_000);
});
