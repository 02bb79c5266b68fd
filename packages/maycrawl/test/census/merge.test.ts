import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CensusSummary, findInputs, mergeCensus, slicePaths, writeCensus } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { combineDigests, digestInputs } from '../../src/census/inputs-digest.ts';
import { toMembers, writeRobotsTxt } from './support/warc.ts';

let folder: string;
let paths: readonly string[];
const at = (...names: string[]): string => join(folder, ...names);

const OPTIONS = { agents: ['GPTBot', 'Googlebot'], profile: 'google', version: '0.1.0', threads: 0 } as const;

const judge = async (out: string, index: number, count: number, changes: object = {}, list = paths) => {
  const { paths: wanted, part } = slicePaths(list, index, count);
  return writeCensus(await findInputs(wanted), { ...OPTIONS, ...changes, part, folder: at(out) });
};
const FILES = ['captures.parquet', 'census.json', 'files.parquet'];
const readFiles = (out: string): readonly Buffer[] => FILES.map((name) => readFileSync(at(out, name)));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-merge-'));
  // Archives and files of one robots.txt alternate in runs, so that slices divide both.
  paths = Array.from({ length: 23 }, (_, file) => {
    if (file % 5 > 1) {
      writeFileSync(at(`site-${file}.example.txt`), `User-agent: *\nDisallow: /${file % 7}\n`);
      return at(`site-${file}.example.txt`);
    }
    const records = Array.from({ length: 12 }, (_, index) =>
      writeRobotsTxt(
        `site-${file}-${index}.example`,
        `User-agent: *\nDisallow: /${(file * 5 + index) % 31}\n`,
      ),
    );
    const bytes = toMembers(records);
    // One archive is damaged: its problem is in the result of the merge, too.
    writeFileSync(at(`crawl-${file}.warc.gz`), file === 10 ? bytes.subarray(0, bytes.length - 20) : bytes);
    return at(`crawl-${file}.warc.gz`);
  });
  await judge('whole', 1, 1);
  for (const index of [1, 2, 3]) await judge('three', index, 3);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('merged parts', () => {
  test.each([1, 3, 7, 20, 30])(
    'of %i slices are equal to one run, byte by byte',
    async (count) => {
      for (let index = count; index >= 1; index--) await judge(`parts-${count}`, index, count);
      const { summary, isComplete } = await mergeCensus([at(`parts-${count}`)], {
        folder: at(`merged-${count}`),
      });
      expect(isComplete).toBe(false);
      expect(summary.files).toBeLessThan(summary.captures);
      const merged = readFiles(`merged-${count}`);
      for (const [place, bytes] of readFiles('whole').entries())
        expect(merged[place]?.equals(bytes), FILES[place]).toBe(true);
      expect(readdirSync(at(`merged-${count}`)).sort()).toEqual(FILES);
    },
    60_000,
  );

  test('are not merged again', async () => {
    await mergeCensus([at('three')], { folder: at('again') });
    expect(await mergeCensus([at('three')], { folder: at('again') })).toMatchObject({ isComplete: true });
  });
});

describe('a merge refuses', () => {
  const copy = (name: string): string => {
    cpSync(at('three'), at(name), { recursive: true });
    return at(name);
  };
  const merge = (...folders: string[]) => mergeCensus(folders, { folder: at('refused') });

  test('missing parts', async () => {
    const part = copy('missing');
    rmSync(join(part, 'census-2-of-3.json'));
    await expect(merge(part)).rejects.toThrow('1 of 3 parts are missing: 2');
  });

  test('a part that is there twice', async () => {
    await expect(merge(at('three'), copy('twice'))).rejects.toThrow('the part is there twice');
  });

  test('damaged tables and JSON files', async () => {
    const part = copy('damaged');
    const table = join(part, 'files-3-of-3.parquet');
    const bytes = readFileSync(table);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(table, bytes);
    await expect(merge(part)).rejects.toThrow('files-3-of-3.parquet is damaged');
    rmSync(table);
    await expect(merge(part)).rejects.toThrow('files-3-of-3.parquet cannot be read');
    appendFileSync(join(part, 'census-1-of-3.json'), '}');
    await expect(merge(part)).rejects.toThrow('census-1-of-3.json is damaged');
  });

  test.each([
    ['is empty', () => ({})],
    ['is null', () => null],
    [
      'names tables of another folder',
      (summary) => ({ ...summary, tables: { ...summary.tables, files: { file: '../x' } } }),
    ],
    ['has a thousand million parts', (summary) => ({ ...summary, part: { ...summary.part, count: 1e9 } })],
    ['has no agents', ({ agents: _, ...rest }) => rest],
    ['has no inputs', (summary) => ({ ...summary, inputs: [null] })],
  ] as const satisfies readonly (readonly [string, (summary: CensusSummary) => unknown])[])(
    'a JSON file that %s',
    async (title, change) => {
      const part = copy(title);
      const path = join(part, 'census-1-of-3.json');
      const summary = JSON.parse(readFileSync(path, 'utf8')) as CensusSummary;
      writeFileSync(path, JSON.stringify(change(summary)));
      await expect(merge(part)).rejects.toThrow('census-1-of-3.json is damaged');
    },
  );

  test('parts of different versions, agents, numbers of parts and lists', async () => {
    const mixed = async (changes: object, list = paths, count = 3) => {
      const part = copy('mixed');
      for (const name of readdirSync(part).filter((each) => each.includes('3-of-3')))
        rmSync(join(part, name));
      await judge('mixed', count, count, changes, list);
      const result = await merge(part).catch((error: Error) => error.message);
      rmSync(part, { recursive: true });
      return result;
    };
    expect(await mixed({ version: '9.0.0' })).toMatch(/different versions of maycrawl/);
    expect(await mixed({ agents: ['GPTBot'] })).toMatch(/different agents/);
    expect(await mixed({}, paths, 4)).toMatch(/different numbers of parts/);
    expect(await mixed({}, paths.slice(1))).toMatch(/different lists of inputs/);
  });

  test('a folder without parts', async () => {
    await expect(merge(folder)).rejects.toThrow('has no complete part of a census');
  });
});

test('digests of lists combine to the digest of the whole, and depend on the order', () => {
  const inputs = Array.from({ length: 20 }, (_, index) => ({ path: `a-${index}`, bytes: index }));
  for (let cut = 0; cut <= inputs.length; cut++)
    expect(
      combineDigests(
        digestInputs(inputs.slice(0, cut)),
        digestInputs(inputs.slice(cut)),
        inputs.length - cut,
      ),
    ).toBe(digestInputs(inputs));
  expect(digestInputs(inputs.toReversed())).not.toBe(digestInputs(inputs));
});
