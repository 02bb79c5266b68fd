/** The work of readings: counted in steps, linear in the length of the file, and with a budget. */
import { parse } from '@maycrawl/core';
import { Budget } from '@maycrawl/core/proofs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { createProbes } from '../../../src/census/read-as/probes.ts';
import { createReadingBudget } from '../../../src/census/read-as/reading.ts';
import { classifyAs, OTHER_READINGS } from '../../../src/census/read-as/readings.ts';
import { findLastPart, findPart } from '../../../src/census/read-as/text-search.ts';
import { HOSTILE_FILES } from '../support/hostile-files.ts';

const AGENTS = ['GPTBot', 'CCBot', 'Googlebot'];
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** No more than this is taken for linear; a quadratic function has 2. */
const LINEAR = 1.3;

/** The steps of each reading for all agents. */
function countSteps(content: Uint8Array): number[] {
  const probes = createProbes(parse(content));
  return OTHER_READINGS.map(({ read }) => {
    const budget = new Budget(1e12);
    const file = read(content, probes, budget);
    for (const agent of AGENTS) file?.classify(agent);
    return budget.spent;
  });
}

describe.each(Object.entries(HOSTILE_FILES))('a file full of %s', (_name, create) => {
  test('has work that grows no faster than the file', () => {
    const [small, large] = [encode(create(15_000)), encode(create(60_000))];
    const growth = Math.log(large.length / small.length);
    const [before, after] = [countSteps(small), countSteps(large)];
    for (const [index, { name }] of OTHER_READINGS.entries()) {
      const exponent = Math.log(((after[index] ?? 0) + 1) / ((before[index] ?? 0) + 1)) / growth;
      expect([name, exponent < LINEAR ? 'linear' : exponent]).toEqual([name, 'linear']);
    }
  });

  test('is read by all readings for many agents within their budgets', () => {
    const content = encode(create(60_000));
    const agents = Array.from({ length: 100 }, (__, index) => `GPTBot${index}`);
    const probes = createProbes(parse(content));
    for (const { read } of OTHER_READINGS) {
      const budget = createReadingBudget(content);
      const file = read(content, probes, budget);
      const classes = new Set(agents.map((agent) => file?.classify(agent)));
      expect(classes.size).toBeGreaterThan(0);
      expect(budget.spent).toBeLessThanOrEqual(1_000_000 + 500 * content.length);
    }
  });
});

test('a reading whose work exceeds the budget is undecided, and the others are not', () => {
  const content = encode(HOSTILE_FILES['long paths and short rules']?.(20_000) ?? '');
  const robots = parse(content);
  const classes = classifyAs(content, robots, AGENTS, OTHER_READINGS);
  expect(OTHER_READINGS.map(({ name }, index) => [name, ...new Set(classes[index])])).toEqual([
    ['python-3.11', 'all'],
    ['python-3.15', 'undecided'],
    ['prefixes', 'all'],
    ['exact-rules', 'some'],
    ['data-provenance-2024', 'some'],
    ['data-provenance-2025', 'some'],
  ]);
  const file = OTHER_READINGS[1]?.read(content, [], new Budget(1));
  expect([file?.classify('GPTBot'), file?.isAllowed?.('GPTBot', '/')]).toEqual(['undecided', null]);
});

test('a file of 466 kB of user-agent lines, which would take hours if each path searched them, is decided', () => {
  const content = encode(HOSTILE_FILES['user-agent lines of one group']?.(466_000) ?? '');
  const classes = classifyAs(content, parse(content), AGENTS, OTHER_READINGS);
  expect(new Set(classes.flat())).toEqual(new Set(['all']));
});

test('the marks of a host are not put into order, which takes quadratic time', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const content = encode(HOSTILE_FILES['one long host']?.(400_000) ?? '');
  OTHER_READINGS[0]?.read(content, []);
  const lengths = normalize.mock.contexts.map((text) => (text as string).length);
  normalize.mockRestore();
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2);
});

test('agents that obey the same rules are classified once', () => {
  const content = encode(HOSTILE_FILES['short rules']?.(20_000) ?? '');
  const probes = createProbes(parse(content));
  const count = (agents: number): number[] =>
    OTHER_READINGS.map(({ read }) => {
      const budget = new Budget(1e9);
      const file = read(content, probes, budget);
      for (let agent = 0; agent < agents; agent++) file?.classify(`Bot${agent}`);
      return budget.spent;
    });
  const [one, many] = [count(1), count(300)];
  for (const [index, steps] of many.entries()) expect(steps).toBeLessThan(2 * (one[index] ?? 0) + 20_000);
});

const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 600 });

test('a part is found where JavaScript finds it, also in long texts', () => {
  fc.assert(
    fc.property(letters, letters, fc.nat(600), fc.nat(600), (text, other, start, end) => {
      const part = end % 3 === 0 ? other : text.slice(Math.min(start, end), Math.max(start, end));
      const from = Math.min(start, text.length);
      const budget = new Budget(1e6);
      expect(findPart(text, part, from, budget)).toBe(text.indexOf(part, from));
      const last = text.lastIndexOf(part);
      expect(findLastPart(text, part, from, budget)).toBe(last < from ? -1 : last);
    }),
    { numRuns: getFuzzRuns(500) },
  );
});
