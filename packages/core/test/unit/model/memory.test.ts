import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parse, type RobotsTxt, type Ruleset } from '../../../src/index.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are in use once all garbage is gone. */
function usedBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface Kept {
  readonly robots: RobotsTxt;
  readonly ruleset: Ruleset;
}

const createFile = (rules: number, salt: number): Uint8Array =>
  new TextEncoder().encode(
    `User-agent: *\n${Array.from({ length: rules }, (_, i) => `Disallow: /${i % 9 === 0 ? '*' : ''}${i * 7}/${salt}\n`).join('')}`,
  );

/** Makes documents and rulesets and asks each for so many URLs. */
function make(count: number, rules: number, decisions: number): Kept[] {
  return Array.from({ length: count }, (_, salt) => {
    const robots = parse(createFile(rules, salt));
    const ruleset = robots.ruleset('a');
    for (let i = 0; i < decisions; i++) ruleset.decide(`/${i * 7}/${salt}/x`);
    return { robots, ruleset };
  });
}

describe('sizeInBytes tells what the heap tells', () => {
  test.each([
    ['small files', 4000, 8, 5],
    ['middling files', 1500, 60, 50],
    ['large files, with automata', 30, 2000, 1000],
  ])('%s', (_name, count, rules, decisions) => {
    // What is made once, such as compiled code, is made before.
    make(3, rules, decisions);
    // The rest of the process uses memory too, now more and now less: of some tries the closest counts.
    const ratios = Array.from({ length: 3 }, () => {
      const before = usedBytes();
      const kept = make(count, rules, decisions);
      const used = usedBytes() - before;
      const told = kept.reduce(
        (sum, { robots, ruleset }) => sum + robots.sizeInBytes + ruleset.sizeInBytes,
        0,
      );
      return told / used;
    });
    const [closest] = ratios.sort((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)));
    expect(closest).toBeGreaterThan(0.75);
    expect(closest).toBeLessThan(1.33);
  });
});
