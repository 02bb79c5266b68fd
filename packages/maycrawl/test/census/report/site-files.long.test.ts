import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReportData } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeGeneratedCensus } from '../support/generated-census.ts';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-site-files-'));
  await writeGeneratedCensus(at('census'), [
    { url: 'https://a.com/robots.txt', status: 200, body: 'User-agent: *\nDisallow: /\n' },
    { url: 'https://www.b.com/robots.txt', status: 200, body: '' },
    { url: 'https://c.com:8443/robots.txt', status: 404, body: '' },
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (options: { readonly ranks?: string; readonly weights?: string }) =>
  readReportData([at('census')], { maycrawl: '0.1.0', limits: { memory: 500e6, threads: 1 }, ...options });
const write = (text: string): string => {
  const path = at('sites.csv');
  writeFileSync(path, text);
  return path;
};

describe('ranks', () => {
  test.each([
    ['lines of Tranco', '1,a.com\r\n2,b.com\r\n'],
    ['lines of CrUX', 'origin,rank\nhttps://a.com,1000\nhttps://www.b.com,1000\n'],
    ['quoted values and capitals', '"1","A.com"\n"2","b.com"\n'],
    ['empty lines', '1,a.com\n\n2,b.com\n\n'],
  ])('are read from %s', async (_, text) => {
    const { ranks, sources } = await read({ ranks: write(text) });
    expect(ranks.map(({ name, sites }) => [name, sites])).toEqual([
      ['1-1000', 2],
      ['unranked', 1],
    ]);
    expect(sources).toMatchObject([{ option: '--ranks', file: 'sites.csv', rows: 2 }]);
  });

  test.each([
    ['1,a.com\nb.com\n', /sites\.csv: /],
    ['1,a.com\nb.com,c.com\n', /line 2 is neither rank,domain nor origin,rank/],
    ['1,a.com\n0,b.com\n', /line 2 is neither/],
    ['1,a.com\n2,\n', /line 2 is neither/],
    ['1,a.com,x\n', /line 1 is too long, or has another number of values/],
    [`1,a.com\n2,${'x'.repeat(20_000)}\n`, /line 2 is too long/],
  ])('%j is refused in one line', async (text, message) => {
    const error = await read({ ranks: write(text) }).then(
      () => undefined,
      (cause: Error) => cause,
    );
    expect(error?.name).toBe('QueryError');
    expect(error?.message).toMatch(message);
    expect(error?.message).toContain('sites.csv');
    expect(error?.message).not.toContain('\n');
    expect(error?.message.length).toBeLessThan(1_000);
  });
});

describe('weights', () => {
  test('can be several, and belong to one site each', async () => {
    const { weights } = await read({
      weights: write('domain,tokens,visits\na.com,10,1\nb.com,5,\nwww.b.com,1,2.25\nc.com,7,7\n'),
    });
    expect(weights.map(({ name, sites, total, missing }) => [name, sites, total, missing])).toEqual([
      ['tokens', 2, 16, 7],
      ['visits', 2, 3.25, 7],
    ]);
    expect(weights[0]?.access[0]?.map(({ access, weight }) => [access, weight])).toEqual([
      ['none', 10],
      ['all', 6],
    ]);
  });

  test.each([
    ['domain\na.com\n', /must be domain,WEIGHT/],
    ['domain,tokens\na.com,many\n', /line 2 is not a domain with numbers/],
    ['domain,tokens\na.com,1\nb.com,-1\n', /line 3 is not a domain with numbers/],
    ['domain,tokens\n,1\n', /line 2 is not a domain/],
    [`domain,${Array.from({ length: 9 }, (_, index) => `w${index}`).join(',')}\n`, /up to 8 weights/],
  ])('%j is refused in one line', async (text, message) => {
    const path = write(text);
    await expect(read({ weights: path })).rejects.toThrow(message);
    await expect(read({ weights: path })).rejects.not.toThrow(/\n/);
  });
});

test('a file without ranks is an error', async () => {
  writeFileSync(at('no-ranks.csv'), '');
  await expect(read({ ranks: at('no-ranks.csv') })).rejects.toThrow(/no-ranks\.csv: the file has no ranks/);
});

test('a missing file, and a folder, are errors that name it', async () => {
  await expect(read({ ranks: at('missing.csv') })).rejects.toThrow(/missing\.csv: no such file/);
  await expect(read({ weights: at('missing.csv') })).rejects.toThrow(/missing\.csv: no such file/);
  await expect(read({ weights: at('.') })).rejects.toThrow(/it is not a file/);
});
