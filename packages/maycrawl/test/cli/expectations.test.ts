import { parse } from '@maycrawl/core';
import { Budget } from '@maycrawl/core/proofs';
import { expect, test } from 'vitest';
import { deriveExpectations } from '../../src/expectations/derive.ts';
import { checkExpectations } from '../../src/expectations/expectations.ts';

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

test('expectations are derived for every agent that is named, and hold', () => {
  const robots = parse(
    'User-agent: MJ12bot\nDisallow: /a\n\nUser-agent: Googlebot-Image\nDisallow: /i\n\nUser-agent: *\nDisallow: /b\nAllow: /b/c\n',
  );
  const { expectations, undecided } = deriveExpectations(robots);
  expect(undecided).toBe(0);
  expect(expectations).toEqual([
    { crawler: 'AnyOtherBot', allow: ['/b/c*'] },
    // The product token with which the name begins is named too.
    { crawler: 'MJ', block: ['/a*'] },
    { crawler: 'MJ12bot', block: ['/a*'] },
    { crawler: 'Googlebot Image', block: ['/i*'] },
  ]);
});

test('the work grows with the rules and agents, not with their product', () => {
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

test('within a budget that is too small nothing is claimed, and what is missing is counted', () => {
  const robots = parse(`User-agent: *\n${lines(2000, (n) => `Disallow: /*${n}*a*b${n % 7}*c`)}`);
  const budget = new Budget(50_000);
  const { undecided } = deriveExpectations(robots, { budget });
  expect(undecided).toBe(1);
  expect(budget.spent).toBeLessThanOrEqual(100_000);
  const crawler = { name: 'a', crawler: 'a' };
  const [checked] = checkExpectations(robots, [{ crawler, allow: ['/x*'], block: [] }], { maxStates: 1 });
  expect(checked).toMatchObject({ holds: null, message: 'not decided: the rules are too entangled' });
});
