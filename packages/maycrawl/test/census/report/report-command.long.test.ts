import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CensusReportData, CensusSections } from '../../../src/census/report/report-data.ts';
import { readReportData } from '../../../src/reports/report-data.ts';
import { run } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';

let folder: string;
const at = (name: string): string => join(folder, name);

const writeLines = (name: string, lines: readonly object[]): void =>
  writeFileSync(at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

const readReport = async (name: string): Promise<CensusReportData> => {
  const [, text = ''] = /id="data">([^<]*)</.exec(readFileSync(at(name), 'utf8')) ?? [];
  const { census: [report] = [] } = await readReportData<CensusSections>(text);
  if (report === undefined) throw new Error(`${name} has no data`);
  return report.data;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-census-report-'));
  const capture = (host: string, time: string, body: string): object => ({ host, time, body });
  for (const [name, year, banned] of [
    ['new', '2026', 2],
    ['old', '2025', 1],
  ] as const) {
    const bodies = Array.from({ length: 4 }, (_, index) =>
      index < banned ? 'User-agent: GPTBot\nDisallow: /\n' : 'User-agent: *\nDisallow: /private\n',
    );
    writeLines(
      `${name}.ndjson`,
      bodies.map((body, index) => capture(`site-${index}.example`, `${year}-02-03T00:00:00Z`, body)),
    );
    const { code } = await runHere([
      'census',
      'judge',
      at(`${name}.ndjson`),
      '--agents',
      'GPTBot,Googlebot',
      '--threads',
      '0',
      '--out',
      at(name),
    ]);
    expect(code).toBe(0);
  }
  writeFileSync(at('ranks.csv'), '1,site-0.example\n2000,site-1.example\n');
  writeFileSync(at('weights.csv'), 'host,visits\nsite-1.example,30\nsite-2.example,70\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('maycrawl census report', () => {
  test('the file has the crawls in the order of time, with ranks and weights, and a page that was built', async () => {
    const options = ['--ranks', at('ranks.csv'), '--weights', at('weights.csv')];
    const { code, stderr } = await run([
      'census',
      'report',
      at('new'),
      at('old'),
      ...options,
      '--out',
      at('made/report.html'),
    ]);
    expect([code, stderr]).toEqual([
      0,
      `maycrawl: wrote ${at('made/report.html')}: 4 sites in the last of 2 crawls, 2 agents\n`,
    ]);
    const { crawls, ranks, weights, transitions, sources, agents } = await readReport('made/report.html');
    expect(crawls.map(({ name }) => name)).toEqual(['old', 'new']);
    expect(agents.map(({ name, operator }) => [name, operator])).toEqual([
      ['GPTBot', 'OpenAI'],
      ['Googlebot', 'Google'],
    ]);
    expect(crawls[1]?.access[0]?.find(({ access }) => access === 'none')).toEqual({
      ...{ access: 'none', group: 'own' },
      sites: {
        count: 2,
        examples: ['site-0.example', 'site-1.example'].map((host) => ({
          ...{ host, note: null },
          witnesses: [{ isAllowed: false, path: '/', line: 2 }],
        })),
      },
    });
    expect(ranks.map(({ name, sites }) => [name, sites])).toEqual([
      ['1-1000', 1],
      ['1001-10000', 1],
      ['unranked', 2],
    ]);
    expect(weights).toMatchObject([{ name: 'visits', sites: 2, total: 100, missing: 0 }]);
    expect(transitions).toMatchObject([{ from: 0, to: 1, sites: 4 }]);
    expect(sources.map(({ option, file }) => [option, file])).toEqual([
      ['--ranks', 'ranks.csv'],
      ['--weights', 'weights.csv'],
    ]);
  });

  test('the same command writes the same bytes, and replaces the file', async () => {
    await runHere(['census', 'report', at('old'), at('new'), '--out', at('one.html')]);
    writeFileSync(at('two.html'), 'something else');
    await runHere(['census', 'report', at('old'), at('new'), '--out', at('two.html'), '--threads', '1']);
    expect(readFileSync(at('two.html'), 'utf8')).toBe(readFileSync(at('one.html'), 'utf8'));
  });

  test.each<readonly [string, readonly string[], string | RegExp]>([
    ['no folder', [], 'name the folders of one or several censuses'],
    ['a folder without a census', ['missing'], /missing/],
    [
      'a rank that is not a number',
      ['new', '--ranks', 'wrong.csv'],
      /wrong\.csv: line 2 is neither rank,domain nor origin,rank/,
    ],
    ['weights that do not exist', ['new', '--weights', 'none.csv'], /none\.csv/],
    ['a folder as the report', ['new', '--out', 'taken'], /cannot write .*taken/],
  ])('%s is an error in one line', async (_name, args, message) => {
    writeFileSync(at('wrong.csv'), '1,a.example\nfirst,b.example\n');
    mkdirSync(at('taken'), { recursive: true });
    const words = args.map((word) => (word.startsWith('--') ? word : at(word)));
    const out = args.includes('--out') ? [] : ['--out', at('failed.html')];
    const { code, stderr } = await runHere(['census', 'report', ...words, ...out]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
