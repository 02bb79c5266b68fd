import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findInputs, type InputFile, InputTotals, readInput } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-odd-files-'));
  mkdirSync(at('sites', 'inner'), { recursive: true });
  writeFileSync(at('sites', 'b.example.txt'), 'User-agent: *');
  writeFileSync(at('target.txt'), 'User-agent: *');
  symlinkSync(at('nothing'), at('sites', 'a.example.txt'));
  symlinkSync(at('target.txt'), at('sites', 'c.example.txt'));
  symlinkSync(at('sites'), at('sites', 'd.example.txt'));
  symlinkSync(at('sites'), at('sites', 'inner', 'loop'));
  execFileSync('mkfifo', [at('sites', 'e.example.txt')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readAll = async (file: InputFile) => {
  const totals = new InputTotals();
  const captures = [];
  for await (const batch of readInput(file, totals)) captures.push(...batch);
  return { captures, totals: totals.toData() };
};

describe('a folder', () => {
  test('has no pipes, and no links to folders', async () => {
    const files = await findInputs([at('sites')]);
    expect(files.map(({ path }) => basename(path))).toEqual([
      'a.example.txt',
      'b.example.txt',
      'c.example.txt',
    ]);
  });

  test('has files that are not named by a host: they are of no site, and counted', async () => {
    for (const name of ['README.txt', 'foo bar.example.txt', 'f.example.txt'])
      writeFileSync(at('target.txt').replace('target.txt', name), 'User-agent: *\nDisallow: /');
    const read = (name: string) => readAll({ path: at(name), format: 'robots-txt', bytes: 1 });
    for (const name of ['README.txt', 'foo bar.example.txt'])
      expect(await read(name)).toMatchObject({
        captures: [{ url: '' }],
        totals: { problemCounts: { 'invalid-url': 1 } },
      });
    expect((await read('f.example.txt')).captures).toMatchObject([{ url: 'https://f.example/robots.txt' }]);
  });

  test('with a link to nothing has an input that cannot be read, and is named', async () => {
    const [missing, ...others] = await findInputs([at('sites')]);
    const { captures, totals } = await readAll(missing as InputFile);
    expect(captures).toEqual([]);
    expect(totals.problems).toEqual([
      {
        code: 'unreadable-input',
        offset: 0,
        message: expect.stringContaining(`${at('sites', 'a.example.txt')}: ENOENT`),
      },
    ]);
    for (const file of others) expect((await readAll(file)).captures).toHaveLength(1);
  });
});

test('a pipe that is named is refused: nothing may ever be written to it', async () => {
  await expect(findInputs([at('sites', 'e.example.txt')])).rejects.toThrow('neither a file nor a folder');
});

test('an abort ends the reading of an input without captures', async () => {
  writeFileSync(at('long.ndjson'), 'x\n'.repeat(1_000_000));
  const controller = new AbortController();
  const totals = new InputTotals();
  const [file] = await findInputs([at('long.ndjson')]);
  let batches = 0;
  const read = async (): Promise<void> => {
    for await (const _ of readInput(file as InputFile, totals, { signal: controller.signal })) {
      batches++;
      controller.abort(new Error('stopped'));
    }
  };
  await expect(read()).rejects.toThrow('stopped');
  expect(batches).toBe(1);
  expect(totals.inputBytes).toBeLessThan(2_000_000);
});

test('the offset after a line that is too long is that of the data', async () => {
  const first = '{"host":"a.example"}\n';
  const long = `${'x'.repeat(9_000_000)}\n`;
  writeFileSync(at('offsets.ndjson'), `\uFEFF${first}${long}{"host":"b.example"}\n${long}`);
  const [file] = await findInputs([at('offsets.ndjson')]);
  const { captures, totals } = await readAll(file as InputFile);
  const start = 3 + first.length;
  expect(captures.map(({ offset }) => offset)).toEqual([3, start + long.length]);
  expect(totals.problems.map(({ offset }) => offset)).toEqual([start, start + long.length + first.length]);
});

test('a table without content is too short', async () => {
  writeFileSync(at('empty.parquet'), '');
  const [file] = await findInputs([at('empty.parquet')]);
  expect((await readAll(file as InputFile)).totals.problems[0]?.message).toBe(
    'not a Parquet file: it is too short',
  );
});

test('a table with damaged metadata is reported without an error of JavaScript', async () => {
  const junk = Buffer.from(Array.from({ length: 12_800 }, (_, index) => index % 256));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(12_000);
  writeFileSync(at('junk.parquet'), Buffer.concat([Buffer.from('PAR1'), junk, length, Buffer.from('PAR1')]));
  const [file] = await findInputs([at('junk.parquet')]);
  expect((await readAll(file as InputFile)).totals.problems[0]?.message).toBe(
    'not a Parquet file: its metadata is damaged',
  );
});
