import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parse, type RobotsTxt, type Ruleset } from '../../../src/index.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Heap and external memory in bytes after garbage collection. */
function measureUsedBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface ParsedFile {
  readonly robots: RobotsTxt;
  readonly ruleset: Ruleset;
}

const createFile = (rules: number, salt: number): Uint8Array =>
  new TextEncoder().encode(
    `User-agent: *\n${Array.from({ length: rules }, (_, i) => `Disallow: /${i % 9 === 0 ? '*' : ''}${i * 7}/${salt}\n`).join('')}`,
  );

/** Creates documents with a ruleset, and decides a number of URLs with each. */
function createParsedFiles(count: number, rules: number, decisions: number): ParsedFile[] {
  return Array.from({ length: count }, (_, salt) => {
    const robots = parse(createFile(rules, salt));
    const ruleset = robots.ruleset('a');
    for (let i = 0; i < decisions; i++) ruleset.decide(`/${i * 7}/${salt}/x`);
    return { robots, ruleset };
  });
}

describe('sizeInBytes is within a third of the heap memory', () => {
  test.each([
    ['small files', 1000, 8, 5],
    ['medium files', 250, 60, 50],
    ['large files, with automata', 8, 2000, 1000],
  ])('%s', (_name, count, rules, decisions) => {
    // Warm up, so that compiled code is not measured.
    createParsedFiles(3, rules, decisions);
    const measureRatio = (): number => {
      const before = measureUsedBytes();
      const files = createParsedFiles(count, rules, decisions);
      const used = measureUsedBytes() - before;
      const estimate = files.reduce(
        (sum, { robots, ruleset }) => sum + robots.sizeInBytes + ruleset.sizeInBytes,
        0,
      );
      return estimate / used;
    };
    // Memory of the rest of the process fluctuates: one of several measurements must be right.
    let ratio = measureRatio();
    for (let more = 2; more > 0 && (ratio <= 0.75 || ratio >= 1.33); more--) ratio = measureRatio();
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.33);
  });
});
