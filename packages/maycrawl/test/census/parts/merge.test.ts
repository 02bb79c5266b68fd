import {
  appendFileSync,
  cpSync,
  existsSync,
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
import { combineDigests, digestInputs } from '../../../src/census/inputs-digest.ts';
import { type RunResult, run } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';
import { CENSUS_FILES, readCensus } from '../support/crawl.ts';
import { toMembers, writeRobotsTxt } from '../support/warc.ts';

let folder: string;
let paths: readonly string[];
const at = (...names: string[]): string => join(folder, ...names);

const OPTIONS = {
  agents: ['GPTBot', 'Googlebot'],
  ...{ profile: 'google', version: '0.1.0', threads: 0, lint: true },
} as const;

/** What some files say besides their rules. */
const CONTENT = [
  'Crawl-delay: 2.5\n',
  'Content-Signal: ai-train=no\nUser-agent: Google-Extended\nDisallow: /\n',
  '# START YOAST BLOCK\nContent-Usage: /p train-ai=y\nUser-agent: GPTBot\nContent-Usage: train-ai=n\n',
  'License: https://example.com/l\n',
];

const judge = async (out: string, index: number, count: number, changes: object = {}, list = paths) => {
  const { paths: wanted, part } = slicePaths(list, index, count);
  return writeCensus(await findInputs(wanted), { ...OPTIONS, ...changes, part, folder: at(out) });
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-merge-'));
  // Archives and files of one robots.txt alternate in runs, so that slices divide both.
  paths = Array.from({ length: 23 }, (_, file) => {
    if (file % 5 > 1) {
      writeFileSync(
        at(`site-${file}.example.txt`),
        `User-agent: *\nDisallow: /${file % 7}\n${CONTENT[file % 7] ?? ''}`,
      );
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
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('merged parts', () => {
  // merge-command.long.test.ts has three slices, by the command.
  test.each([1, 7, 30])(
    'of %i slices are equal to one run, byte by byte',
    async (count) => {
      for (let index = count; index >= 1; index--) await judge(`parts-${count}`, index, count);
      const { summary, isComplete } = await mergeCensus([at(`parts-${count}`)], {
        folder: at(`merged-${count}`),
      });
      expect(isComplete).toBe(false);
      expect(summary.files).toBeLessThan(summary.captures);
      const [merged, whole] = [readCensus(at(`merged-${count}`)), readCensus(at('whole'))];
      for (const name of CENSUS_FILES) expect(merged[name]?.equals(whole[name] as Buffer), name).toBe(true);
    },
    60_000,
  );

  test('leave no file if the merge is aborted', async () => {
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('stopped'));
    const options = { folder: at('aborted'), signal: controller.signal };
    await expect(mergeCensus([at('three')], { ...options, onProgress })).rejects.toThrow('stopped');
    expect(readdirSync(at('aborted'))).toEqual([]);
    // Also while the tables are checked, before the result has a file.
    await expect(mergeCensus([at('three')], options)).rejects.toThrow('stopped');
    expect(readdirSync(at('aborted'))).toEqual([]);
  });

  test('are not merged again', async () => {
    await mergeCensus([at('three')], { folder: at('again') });
    expect(await mergeCensus([at('three')], { folder: at('again') })).toMatchObject({ isComplete: true });
  });
});

describe('a merge refuses', () => {
  const copy = (name: string): string => {
    rmSync(at(name), { recursive: true, force: true });
    cpSync(at('three'), at(name), { recursive: true });
    return at(name);
  };
  const change = (path: string, edit: (summary: CensusSummary) => unknown): void =>
    writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')) as CensusSummary)));

  /** Runs the command, which must print one line and leave no file. @returns the line. */
  const mergeBy = async (
    start: (command: readonly string[]) => Promise<RunResult>,
    folders: readonly string[],
  ): Promise<string> => {
    const { code, stdout, stderr } = await start(['census', 'merge', ...folders, '--out', at('refused')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^maycrawl: [^\n]+\n$/);
    expect(existsSync(at('refused'))).toBe(false);
    return stderr;
  };
  const merge = (...folders: string[]): Promise<string> => mergeBy(runHere, folders);

  test('missing parts', async () => {
    const part = copy('missing');
    rmSync(join(part, 'census-2-of-3.json'));
    expect(await mergeBy(run, [part])).toContain('1 of 3 parts are missing: 2');
  });

  test('a part that is given twice', async () => {
    expect(await merge(at('three'), copy('twice'))).toContain('the part is given twice');
    expect(await merge(at('three'), at('three'))).toContain('the part is given twice');
  });

  test('damaged, cut and missing tables, and damaged JSON files', async () => {
    const part = copy('damaged');
    const table = join(part, 'files-3-of-3.parquet');
    const bytes = readFileSync(table);
    for (const wrong of [bytes.subarray(0, -1), Buffer.alloc(0), bytes.with(100, (bytes[100] ?? 0) ^ 1)]) {
      writeFileSync(table, wrong);
      expect(await merge(part)).toContain('files-3-of-3.parquet is damaged; remove ');
    }
    rmSync(table);
    expect(await merge(part)).toContain('files-3-of-3.parquet cannot be read; remove ');
    appendFileSync(join(part, 'census-1-of-3.json'), '}');
    expect(await merge(part)).toContain('census-1-of-3.json is damaged; remove it');
  });

  test.each([
    ['core', '0.0.1', 'different versions of @maycrawl/core'],
    ['catalogue', 'f'.repeat(64), 'different crawler catalogues'],
  ])('parts with another value of %s', async (setting, value, message) => {
    const part = copy(`other-${setting}`);
    const path = join(part, 'census-2-of-3.json');
    const summary = JSON.parse(readFileSync(path, 'utf8')) as CensusSummary;
    expect(Object.keys(summary)).toContain(setting);
    writeFileSync(path, JSON.stringify({ ...summary, [setting]: value }));
    expect(await merge(part)).toContain(message);
  });

  test('parts of different versions, agents, profiles, readings, numbers of parts and lists', async () => {
    const mixed = async (changes: object, list = paths, count = 3): Promise<string> => {
      const part = copy('mixed');
      for (const name of readdirSync(part).filter((each) => each.includes('3-of-3')))
        rmSync(join(part, name));
      await judge('mixed', count, count, changes, list);
      return merge(part);
    };
    expect(await mixed({ version: '9.0.0' })).toMatch(/different versions of maycrawl/);
    expect(await mixed({ agents: ['GPTBot'] })).toMatch(/different agents/);
    expect(await mixed({ agents: ['Googlebot', 'GPTBot'] })).toMatch(/different agents/);
    expect(await mixed({ profile: 'rfc9309' })).toMatch(/different profiles/);
    expect(await mixed({ lint: false })).toMatch(/different settings of the linter/);
    expect(await mixed({ readAs: ['exact-rules'] })).toMatch(/different readings/);
    expect(await mixed({}, paths, 4)).toMatch(/different numbers of parts/);
    expect(await mixed({}, paths.slice(1))).toMatch(/different lists of inputs/);
    expect(await mixed({}, paths.toReversed())).toMatch(/different lists of inputs/);
  });

  test('a folder without parts, one that does not exist, and no folder', async () => {
    expect(await merge(folder)).toContain('has no complete part of a census');
    expect(await merge(at('nothing'))).toContain('nothing: no such file');
    expect(await merge()).toContain('name the folders of the parts');
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
    async (title, edit) => {
      const part = copy(title);
      change(join(part, 'census-1-of-3.json'), edit);
      await expect(mergeCensus([part], { folder: at('refused') })).rejects.toThrow(
        'census-1-of-3.json is damaged',
      );
    },
  );
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
