import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { compareCensuses } from '../../../src/census/compare-censuses.ts';
import { readReportData } from '../../../src/census/report/queries/read-report-data.ts';
import { BLOCKED, type SiteAccess } from '../../../src/census/report/site-access.ts';
import { MAX_EXAMPLES } from '../../../src/census/report/site-count.ts';
import { CAPTURES, writeGeneratedCensus } from '../support/generated-census.ts';
import { listNumbers, selectNumbers } from '../support/report-numbers.ts';

/** A census and its report take as long as hundreds of other inputs. */
const FUZZ_RUNS = getFuzzRuns(2_000);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-report-data-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIMITS = { memory: 500e6, threads: 1 } as const;
const AGENTS = ['GPTBot', 'CCBot', 'Googlebot'];
const READINGS = ['python-3.11', 'exact-rules'];

const isUnknown = (access: SiteAccess): boolean => ['unreachable', 'unknown'].includes(access);

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

function expectDescending(list: readonly { readonly sites: { readonly count: number } }[]): void {
  const counts = list.map(({ sites }) => sites.count);
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
}

describe('the data of a report', () => {
  test('are the numbers and examples of plain SQL over the views', async () => {
    let number = 0;
    const seen = new Set<string>();
    const crawls = fc.array(CAPTURES, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(crawls, ranks, weights, fc.boolean(), async (generated, rank, weight, isOrigin) => {
        const run = join(folder, String(number++));
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
        if (data.declarations.uses.some(({ agent }) => agent !== null)) seen.add('declaring');
        if (data.declarations.contradictions.length > 0) seen.add('contradicting');
        if (data.generators.length > 0) seen.add('generated');
        if (data.commonFiles.length > 0) seen.add('common');
        if (data.panel?.firstBlocked.some((each) => (each[1]?.sites.count ?? 0) > 0))
          seen.add('first blocked later');
        const sources = { ranks: rank, weights: weight };
        expect(listNumbers(data)).toEqual(
          await selectNumbers(paths, AGENTS, sources, READINGS, MAX_EXAMPLES),
        );
        expect(data.crawls.map(({ name }) => name)).toEqual(generated.map((_, index) => String(index)));
        for (const list of [
          ...data.crawls.map(({ statuses }) => statuses),
          data.commonFiles,
          data.generators,
        ])
          expectDescending(list);
        expectDescending(data.declarations.formats);
        for (const { outcomes, sites } of data.crawls)
          expect(outcomes.reduce((sum, each) => sum + each.sites.count, 0)).toBe(sites);
      }),
      { numRuns: Math.ceil(FUZZ_RUNS / 200), endOnFailure: true },
    );
    expect(seen).toEqual(
      new Set(['declaring', 'contradicting', 'generated', 'common', 'first blocked later']),
    );
  });

  test('of a comparison are those of the transitions', async () => {
    let [number, changed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(CAPTURES, CAPTURES, async (first, second) => {
        const run = join(folder, `compared-${number++}`);
        for (const [name, captures] of [
          ['a', first],
          ['b', second],
        ] as const) {
          const path = join(run, name);
          await writeGeneratedCensus(path, captures, {
            agents: name === 'a' ? AGENTS : [...AGENTS, 'ClaudeBot'],
          });
        }
        const comparison = await compareCensuses(join(run, 'a'), join(run, 'b'), { ...LIMITS, examples: 3 });
        const { transitions, crawls } = await readReportData([join(run, 'a'), join(run, 'b')], {
          ...{ maycrawl: '0.1.0', limits: LIMITS },
        });
        const [expected] = transitions;
        expect(comparison.omittedAgents).toEqual(['ClaudeBot']);
        expect(comparison.sites).toBe(expected?.sites);
        expect([comparison.before.onlySites, comparison.after.onlySites]).toEqual(
          crawls.map(({ sites }) => sites - comparison.sites),
        );
        for (const [agent, each] of comparison.agents.entries()) {
          const cells = expected?.agents[agent] ?? [];
          expect(each.transitions.map(({ sites, ...rest }) => [rest, sites.count])).toEqual(
            cells.map(({ sites, ...rest }) => [rest, sites.count]),
          );
          const known = cells.filter(({ before, after }) => !isUnknown(before) && !isUnknown(after));
          const sum = (condition: (before: SiteAccess, after: SiteAccess) => boolean): number =>
            known
              .filter(({ before, after }) => condition(before, after))
              .reduce((total, { sites }) => total + sites.count, 0);
          expect(each).toMatchObject({
            knownSites: sum(() => true),
            blockedBefore: sum((before) => BLOCKED.includes(before)),
            blockedAfter: sum((_, after) => BLOCKED.includes(after)),
            newlyBlocked: {
              count: sum((before, after) => BLOCKED.includes(after) && !BLOCKED.includes(before)),
            },
            newlyAllowed: {
              count: sum((before, after) => BLOCKED.includes(before) && !BLOCKED.includes(after)),
            },
          });
          for (const { count, examples } of [each.newlyBlocked, each.newlyAllowed])
            expect(examples).toHaveLength(Math.min(3, count));
          changed += each.newlyBlocked.count + each.newlyAllowed.count;
        }
      }),
      { numRuns: Math.ceil(FUZZ_RUNS / 400), endOnFailure: true },
    );
    expect(changed).toBeGreaterThan(10);
  });
});
