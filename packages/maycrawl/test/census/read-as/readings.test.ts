/** Readings of other programs and studies: what each of them makes of files that are often written. */
import { parse } from '@maycrawl/core';
import { expect, test } from 'vitest';
import { createProbes } from '../../../src/census/read-as/probes.ts';
import { compareReadings, OTHER_READINGS, requireReading } from '../../../src/census/read-as/readings.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The classes of all readings for an agent, and that of this library first. */
function classify(text: string, agent = 'GPTBot'): Record<string, string | null> {
  const content = encode(text);
  const results = compareReadings(content, parse(content), [agent]);
  return {
    maycrawl: results[0]?.expected ?? null,
    ...Object.fromEntries(results.map(({ reading, access }) => [reading, access])),
  };
}

/** The same class for all readings. */
const createEqual = (access: string): Record<string, string> =>
  Object.fromEntries(['maycrawl', ...OTHER_READINGS.map(({ name }) => name)].map((name) => [name, access]));

const CASES: readonly { id: string; text: string; agent?: string; differ?: Record<string, string | null> }[] =
  [
    { id: 'a total disallow', text: 'User-agent: *\nDisallow: /', differ: {} },
    {
      id: 'a total disallow by a wildcard',
      text: 'User-agent: *\nDisallow: /*',
      differ: {
        'python-3.11': 'all',
        prefixes: 'all',
        'exact-rules': 'some',
        'data-provenance-2024': 'some',
        'data-provenance-2025': 'some',
      },
    },
    {
      id: 'a list of agents after the first group',
      text: 'User-agent: a\nDisallow: /p\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /',
      differ: { 'data-provenance-2025': 'all' },
    },
    {
      id: 'an agent without rules before the group of another one',
      text: 'User-agent: GPTBot\nDisallow:\n\nUser-agent: CCBot\nDisallow: /',
      differ: { maycrawl: 'all', 'data-provenance-2024': 'none' },
    },
    {
      id: 'a name in another case',
      text: 'User-agent: gptbot\nDisallow: /',
      differ: { 'data-provenance-2024': 'all', 'data-provenance-2025': 'all' },
    },
    {
      id: 'an empty line in a group',
      text: 'User-agent: GPTBot\n\nDisallow: /',
      differ: { 'python-3.11': 'all' },
    },
    {
      id: 'an exception after a total disallow',
      text: 'User-agent: GPTBot\nDisallow: /\nAllow: /p',
      differ: { 'python-3.11': 'none' },
    },
    {
      id: 'a byte order mark',
      text: '\ufeffUser-agent: *\nDisallow: /',
      differ: { maycrawl: 'none' },
    },
    {
      id: 'a part of the name',
      text: 'User-agent: GPT\nDisallow: /',
      differ: { 'python-3.11': 'none', 'python-3.15': 'none' },
    },
    {
      id: 'an empty query',
      text: 'User-agent: *\nDisallow: /?',
      differ: { 'python-3.11': 'none', 'data-provenance-2024': 'all', 'data-provenance-2025': 'all' },
    },
  ];

test.each(CASES)('readings of $id', ({ text, agent, differ = {} }) => {
  const classes = classify(text, agent);
  const [, usual] = Object.entries(classes).find(([name]) => !(name in differ)) as [string, string];
  expect(classes).toEqual({ ...createEqual(usual), ...differ });
});

test('a reading whose program fails on a file has no class', () => {
  const content = Uint8Array.from([...encode('User-agent: *\nDisallow: /'), 0xff]);
  const [first] = compareReadings(content, parse(content), ['GPTBot']);
  expect(first).toMatchObject({ reading: 'python-3.11', access: null, different: null });
});

test('different verdicts are counted by paths', () => {
  const content = encode('User-agent: *\nDisallow: /*.pdf$');
  const results = compareReadings(content, parse(content), ['GPTBot']);
  const probes = createProbes(parse(content));
  expect(probes).toEqual(['/', '/no-file-names-this-path', '/.pdf', '/.pdfx', '/x.pdf', '/x.pdfx']);
  expect(results.map(({ reading, different }) => [reading, different])).toEqual([
    ['python-3.11', 2],
    ['python-3.15', 0],
    ['prefixes', 2],
    ['exact-rules', null],
    ['data-provenance-2024', null],
    ['data-provenance-2025', null],
  ]);
});

test('probes are limited, however many rules a file has', () => {
  const rules = Array.from({ length: 5_000 }, (_, index) => `Disallow: /${index}`).join('\n');
  expect(createProbes(parse(`User-agent: *\n${rules}`)).length).toBeLessThanOrEqual(802);
});

test('every reading has a name of its own, a description and a source', () => {
  expect(new Set(OTHER_READINGS.map(({ name }) => name)).size).toBe(OTHER_READINGS.length);
  for (const { description, source } of OTHER_READINGS) expect([description, source]).not.toContain('');
});

test('an unknown reading is an error that lists the readings', () => {
  expect(() => requireReading('python')).toThrow(RangeError);
  expect(() => requireReading('python')).toThrow('the readings are python-3.11, python-3.15, prefixes');
});
