import { parse } from '@maycrawl/core';
import { Budget } from '@maycrawl/core/proofs';
import { expect, test, vi } from 'vitest';
import { deriveExpectations } from '../../src/expectations/derive.ts';
import { checkExpectations, parseExpectations } from '../../src/expectations/expectations.ts';

const { some } = Array.prototype;

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

test('the expectations derived for every named agent are met', () => {
  const robots = parse(
    'User-agent: MJ12bot\nDisallow: /a\n\nUser-agent: Googlebot-Image\nDisallow: /i\n\nUser-agent: *\nDisallow: /b\nAllow: /b/c\n',
  );
  const { expectations, undecided } = deriveExpectations(robots);
  expect(undecided).toBe(0);
  expect(expectations).toEqual([
    { agent: '*', allow: ['/b/c*'] },
    // The file also has the product token at the start of the name.
    { agent: 'MJ', block: ['/a*'] },
    { agent: 'MJ12bot', block: ['/a*'] },
    { agent: 'Googlebot Image', block: ['/i*'] },
  ]);
});

test('the work grows with rules plus agents, not with their product', () => {
  const workFor = (count: number): number => {
    const budget = new Budget();
    const robots = parse(
      `${lines(count, (n) => `User-agent: agent${n}`)}${lines(10, (n) => `Disallow: /path-${n}/`)}`,
    );
    expect(deriveExpectations(robots, { budget }).expectations.length).toBeGreaterThanOrEqual(count);
    return budget.spent;
  };
  expect(workFor(1000)).toBeLessThan(12 * workFor(100));
});

test('a budget that is too small yields no unproved expectation, and missing ones are counted', () => {
  const robots = parse(`User-agent: *\n${lines(2000, (n) => `Disallow: /*${n}*a*b${n % 7}*c`)}`);
  const budget = new Budget(50_000);
  const { undecided } = deriveExpectations(robots, { budget });
  expect(undecided).toBe(1);
  expect(budget.spent).toBeLessThanOrEqual(100_000);
  const agent = { name: 'a', crawler: 'a' };
  const [checked] = checkExpectations(robots, [{ agent, allow: ['/x*'], block: [] }], { maxStates: 1 });
  expect(checked).toMatchObject({ passed: null, message: 'not decided: the rules are too entangled' });
});

const read = (text: string) => parseExpectations(text, (name) => ({ name, crawler: name }));

test.each([
  ['brackets', '['.repeat(100_000), 'it has more than 20 levels'],
  ['sequences on one line', '- '.repeat(100_000), 'it has more than 20 levels'],
  ['keys on one line', '? '.repeat(100_000), 'it has more than 20 levels'],
  ['values on one line', ': '.repeat(100_000), 'it has more than 20 levels'],
  ['nested mappings', lines(1000, (n) => `${' '.repeat(n)}a:`), 'it has more than 20 levels'],
  ['aliases', `- &a x\n${lines(5000, () => '- *a')}`, 'it has too many aliases: 5000'],
  ['anchors with aliases', lines(2000, (n) => `- &a${n} x\n- *a${n}`), 'it has too many aliases: 2000'],
])('expectations of many %s are refused before they are composed', async (_name, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('a text that is too long is refused from every source', async () => {
  await expect(read(`- agent: a\n  allow: [/]\n#${'x'.repeat(512 * 1024)}`)).rejects.toThrow(
    'it has more than 524288 bytes',
  );
});

test('nesting levels are not counted across lines, in strings, or in comments', async () => {
  const text = lines(
    50,
    (n) =>
      `- agent: agent${n}\n  allow:\n${' '.repeat(n)}    # a comment\n    - /${'['.repeat(30)}\n    - "- - - - - - - - - - - - - - - - - - - - - - -"`,
  );
  expect(await read(text)).toHaveLength(50);
});

test('YAML aliases of lists can be used for several crawlers', async () => {
  const text = `- agent: a\n  block: &all [/x, /y*]\n${lines(30, (n) => `- agent: b${n}\n  block: *all`)}`;
  expect((await read(text)).at(-1)?.block).toEqual(['/x', '/y*']);
});

test('a duplicate key in an expectation is an error, and keys are not compared pairwise', async () => {
  await expect(read('- agent: a\n  allow: [/]\n  allow: [/x]\n')).rejects.toThrow(
    'expectation 1 has "allow" twice',
  );
  let comparisons = 0;
  // A value that is not a list of expectations is refused regardless of its keys.
  const spy = vi.spyOn(Array.prototype, 'some').mockImplementation(function (this: unknown[], ...args) {
    comparisons++;
    return some.apply(this, args as never);
  });
  try {
    await expect(read(lines(500, (n) => `key${n}: 1`))).rejects.toThrow('it must be a list');
  } finally {
    spy.mockRestore();
  }
  expect(comparisons).toBeLessThan(500);
});
