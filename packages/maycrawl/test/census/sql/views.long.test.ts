import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { openCensuses } from '../../../src/census/sql/open-censuses.ts';
import { CAPTURES, readTable, type TableRow, writeGeneratedCensus } from '../support/generated-census.ts';
import { findOrigins, findSites, getAccess } from '../support/naive-sites.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-views-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIMITS = { memory: 500e6, threads: 1 } as const;
const sort = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
const AGENTS = ['GPTBot', 'CCBot', 'Googlebot'];

describe('views', () => {
  test('are what a naive program finds in the tables of generated censuses', async () => {
    let [number, followed, unresolved] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(CAPTURES, async (captures) => {
        const path = join(folder, String(number++));
        await writeGeneratedCensus(path, captures);
        const rows = await readTable(path, 'captures');
        const files = new Map((await readTable(path, 'files')).map((row) => [String(row['digest']), row]));
        const { database } = await openCensuses([path], LIMITS);
        try {
          const origins = await database.select<TableRow>('FROM origins');
          const naive = findOrigins(rows);
          expect(
            sort(
              origins.map((row) =>
                ['scheme', 'host', 'port', 'outcome', 'digest', 'redirects', 'status'].map(
                  (name) => row[name],
                ),
              ),
            ),
          ).toEqual(
            sort(
              naive.map(({ first, final, redirects }) => [
                first.scheme,
                first.host,
                first.port,
                final.outcome,
                final.digest,
                redirects,
                final.status,
              ]),
            ),
          );
          followed += naive.filter(({ redirects }) => redirects > 1).length;
          unresolved += naive.filter(({ final }) => final.outcome === 'redirect').length;
          const sites = findSites(rows);
          expect(sort(await database.select('SELECT site, scheme, outcome, digest FROM sites'))).toEqual(
            sort(
              sites.map(({ site, first, final: { outcome, digest } }) => ({
                site,
                scheme: first.scheme,
                outcome,
                digest,
              })),
            ),
          );
          expect(sort(await database.select('SELECT site, agent, access FROM access'))).toEqual(
            sort(
              sites.flatMap((site) =>
                AGENTS.map((agent) => ({ site: site.site, agent, access: getAccess(site, agent, files) })),
              ),
            ),
          );
        } finally {
          database.close();
        }
      }),
      {
        // A census takes as long as hundreds of other inputs.
        numRuns: Math.ceil(getFuzzRuns(2_000) / 150),
      },
    );
    expect(followed).toBeGreaterThan(3);
    expect(unresolved).toBeGreaterThan(3);
  });
});
