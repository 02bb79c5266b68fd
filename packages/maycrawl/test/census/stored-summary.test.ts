import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CensusSummary, findInputs, mergeCensus, slicePaths, writeCensus } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMAT } from '../../src/census/census-summary.ts';
import { findCensuses } from '../../src/census/sql/census-folder.ts';

type Editable = { -readonly [Key in keyof CensusSummary]: unknown };

const OPTIONS = { agents: ['GPTBot', 'CCBot'], profile: 'google', version: '0.1.0', threads: 0 } as const;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);
const judge = async (out: string, index = 1, count = 1) => {
  const { paths, part } = slicePaths([at('a.example.txt'), at('b.example.txt')], index, count);
  return writeCensus(await findInputs(paths), { ...OPTIONS, part, folder: out });
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-summary-'));
  for (const name of ['a', 'b'])
    writeFileSync(at(`${name}.example.txt`), `User-agent: *\nDisallow: /${name}`);
  await judge(at('whole'));
  for (const index of [1, 2]) await judge(at('parts'), index, 2);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies a census whose JSON file is edited. */
function copyEdited(from: string, file: string, edit: (summary: Editable) => unknown): string {
  const copy = mkdtempSync(at('copy-'));
  cpSync(at(from), copy, { recursive: true });
  const summary = JSON.parse(readFileSync(join(copy, file), 'utf8')) as Editable;
  const edited = edit(summary);
  writeFileSync(join(copy, file), JSON.stringify(edited === undefined ? summary : edited));
  return copy;
}

const change =
  (name: keyof CensusSummary, value: unknown) =>
  (summary: Editable): void => {
    summary[name] = value;
  };
const changeFirstInput = (changes: object) => (summary: Editable) => ({
  ...summary,
  inputs: (summary.inputs as object[]).map((input) => ({ ...input, ...changes })),
});

describe.each([
  ['is null', () => null],
  ['is a list', () => []],
  ['has no fields', () => ({})],
  ['has another number of captures', change('captures', 7)],
  ['has a negative number of files', change('files', -1)],
  ['has no tables', change('tables', undefined)],
  ['has tables of no type', change('tables', { captures: null, files: null })],
  ['has no inputs', change('inputs', null)],
  ['has an input of no type', change('inputs', [null])],
  ['has an input without a number of problems', changeFirstInput({ problemCounts: null })],
  ['has an input with problems of no type', changeFirstInput({ problems: [null] })],
  ['has an input of no files', changeFirstInput({ count: 0 })],
  ['has outcomes of no type', change('outcomes', null)],
  ['has no number of an outcome', change('outcomes', { rules: 2 })],
  ['has no undecided numbers', change('undecided', null)],
  ['has no undecided numbers by readings', change('undecidedReadings', null)],
  ['has readings of no type', change('readAs', 5)],
  ['has an agent twice', change('agents', ['GPTBot', 'GPTBot'])],
  ['has a profile of no type', change('profile', {})],
  ['has no part', change('part', null)],
] satisfies readonly (readonly [string, (summary: Editable) => unknown])[])(
  'a JSON file that %s is damaged',
  (_, edit) => {
    test('for a query', () => {
      const copy = copyEdited('whole', 'census.json', edit);
      expect(() => findCensuses([copy])).toThrow('census.json is damaged; judge again');
    });

    test('for the same command', async () => {
      const copy = copyEdited('whole', 'census.json', edit);
      await expect(judge(copy)).rejects.toThrow('census.json is damaged; remove it');
    });

    test('for a merge', async () => {
      const copy = copyEdited('parts', 'census-2-of-2.json', edit);
      await expect(mergeCensus([copy], { folder: at('refused') })).rejects.toThrow(
        'census-2-of-2.json is damaged',
      );
    });
  },
);

test('a JSON file of another version is refused', async () => {
  const whole = copyEdited('whole', 'census.json', change('format', FORMAT + 1));
  expect(() => findCensuses([whole])).toThrow('another version of maycrawl wrote this census');
  await expect(judge(whole)).rejects.toThrow('another version of maycrawl');
  const parts = copyEdited('parts', 'census-1-of-2.json', change('format', FORMAT + 1));
  await expect(mergeCensus([parts], { folder: at('refused') })).rejects.toThrow(
    'another version of maycrawl',
  );
});

test('the JSON file of a part with the name of a whole census is refused', () => {
  const copy = copyEdited('parts', 'census-1-of-2.json', () => undefined);
  cpSync(join(copy, 'census-1-of-2.json'), join(copy, 'census.json'));
  expect(() => findCensuses([copy])).toThrow('census.json is damaged');
});

test('a JSON file whose agents are not those of its table is not merged', async () => {
  const edit = (summary: Editable): void => {
    summary.agents = ['GPTBot', 'Foo'];
    summary.undecided = { GPTBot: 0, Foo: 0 };
  };
  const copy = copyEdited('whole', 'census.json', edit);
  await expect(mergeCensus([copy], { folder: at('refused') })).rejects.toThrow(
    /does not have the columns of .*census\.json/,
  );
});

test('an agent cannot have the name of a prototype', async () => {
  const inputs = await findInputs([at('a.example.txt')]);
  await expect(
    writeCensus(inputs, { ...OPTIONS, agents: ['constructor', '__proto__'], folder: at('refused') }),
  ).rejects.toThrow('__proto__');
});
