/** A page has a bounded number of statements that are read, and no use seems to be allowed because of what is not read. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from '../../../src/index.ts';
import {
  findPageProblems,
  type PageSources,
  type PreferenceReport,
  readPreferences,
} from '../../../src/preferences.ts';
import { FUZZ_PARAMETERS, takeShare } from '../../support/arbitraries.ts';

const ALLOWING = {
  kind: 'rules',
  robots: parse('User-agent: *\nContent-Usage: train-ai=y, search=y'),
} as const;

const read = (page: PageSources): PreferenceReport =>
  readPreferences({ policy: ALLOWING, ...page }, 'GPTBot', 'https://a.example/');
const times = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index));
const createMeta = (content: string, name = 'robots'): { name: string; content: string } => ({
  name,
  content,
});

test('equal statements are one', () => {
  const report = read({
    headers: times(10_000, () => ['X-Robots-Tag', 'noai, '.repeat(20)] as const),
    metas: times(10_000, () => createMeta('noai, '.repeat(20))),
  });
  expect(report.purposes['ai-train']).toMatchObject({ value: 'disallowed', format: 'page' });
  const refusals = report.purposes['ai-train']?.statements.filter(({ format }) => format === 'page');
  expect(refusals?.map(({ source }) => source)).toEqual(['header', 'meta']);
  expect(report.problems).toEqual([]);
});

test('a value has each directive once', () => {
  const { purposes } = read({ metas: [createMeta('noai, NoAI, x-noai, '.repeat(10_000))] });
  expect(purposes['ai-train']?.statements.filter(({ format }) => format === 'page')).toHaveLength(1);
});

describe('statements beyond the limits are a problem, and nothing is allowed:', () => {
  test.each<[string, PageSources, source: string]>([
    [
      'metas',
      { metas: times(1_001, (index) => createMeta(`train-ai=y;a=${index}`, 'content-usage')) },
      'meta',
    ],
    ['headers', { headers: times(1_001, (index) => ['content-usage', `a${index}=y`]) }, 'header'],
    ['characters', { metas: [createMeta(`a=${'x'.repeat(262_144)}`, 'content-signal')] }, 'meta'],
    ['characters of directives', { metas: [createMeta(`${'x'.repeat(300_000)},noai`)] }, 'meta'],
    [
      'statements that the reader of the page omitted',
      { metas: [createMeta('x')], isTruncated: true },
      'html',
    ],
  ])('%s', (_name, page, source) => {
    const { purposes, problems } = read(page);
    expect(purposes['ai-train']).toMatchObject({ value: 'unknown', format: null });
    expect(purposes['search']?.value).toBe('unknown');
    expect(problems).toMatchObject([{ source }]);
    expect(findPageProblems(page)).toMatchObject([
      ...(source === 'html' ? [] : findPageProblems({ ...page }).slice(0, -1)),
      { source, reason: problems[0]?.reason },
    ]);
  });

  test('more link elements than are read', () => {
    expect(read({ licenses: times(1_001, (index) => `https://a.example/${index}`) }).problems).toMatchObject([
      { source: 'html', reason: 'more than 1000 link elements refer to licences: the others are not read' },
    ]);
  });
});

test('statements that say nothing about use do not count', () => {
  const metas = [...times(5_000, (index) => createMeta(`noindex, x${index}`)), createMeta('noai')];
  const { purposes, problems } = read({ metas });
  expect([purposes['ai-train']?.value, problems]).toEqual(['disallowed', []]);
});

test('a refusal within the limits counts, whatever follows it, also in a list that is longer than they are', () => {
  const padding = times(2_000, (index) => createMeta(`noai-${index}`));
  for (const metas of [[createMeta('noai'), ...padding], [createMeta(`noai, ${'x, '.repeat(200_000)}`)]]) {
    const { purposes, problems } = read({ metas });
    expect(purposes['ai-train']?.value).toBe('disallowed');
    expect(problems).toHaveLength(1);
  }
});

test('repetitions change no value', () => {
  const value = fc.constantFrom(
    ...(['robots|noai', 'robots|noarchive', 'gptbot|noai, nocache', 'content-usage|train-ai=y'] as const),
    ...(['content-usage|train-ai=n', 'content-usage|search=n, x', 'content-signal|ai-train=no'] as const),
    ...([
      'tdm-reservation|0',
      'tdm-reservation|1',
      'tdm-reservation|x',
      'tdm-policy|https://a.example/',
    ] as const),
  );
  const getValues = (page: PageSources) =>
    Object.entries(read(page).purposes).map(([purpose, { value: result, readings }]) => [
      purpose,
      result,
      readings,
    ]);
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), fc.boolean(), (values, areHeaders) => {
      const create = (all: readonly string[]): PageSources => {
        const pairs = all.map((each) => each.split('|') as [string, string]);
        return areHeaders
          ? { headers: pairs }
          : { metas: pairs.map(([name, content]) => createMeta(content, name)) };
      };
      // Each value stands right beside its repetitions.
      const repeated = values.flatMap((each) => [each, each, each]);
      expect(getValues(create(repeated))).toEqual(getValues(create(values)));
      // In a list twice as long, the last of several values still replaces the others.
      expect(getValues(create([...values, ...values]))).toEqual(getValues(create(values)));
    }),
    takeShare(FUZZ_PARAMETERS, 5),
  );
});
