import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { truncate, truncateMiddle } from '../../../src/bytes/truncate.ts';
import { resolveAgent } from '../../../src/index.ts';

const LONE_SURROGATE = /\p{Cs}/u;
const PACKAGES = fileURLToPath(new URL('../../../../', import.meta.url));

describe('truncate', () => {
  test('a text within the limit stays as it is, and a longer one has the length of the limit with its ending', () => {
    expect(truncate('abc', 3)).toBe('abc');
    expect(truncate('abcd', 3)).toBe('ab…');
    expect(truncate('abcd', 3, '')).toBe('abc');
    expect(truncate('abcdefgh', 7, ' [cut]')).toBe('a [cut]');
    expect(truncate('abc', 0)).toBe('…');
    expect(truncate('', 0)).toBe('');
  });

  test('a surrogate pair is not split', () => {
    expect(truncate('a😀b', 3)).toBe('a…');
    expect(truncate('a😀bc', 4)).toBe('a😀…');
    expect(truncate('😀😀', 3, '')).toBe('😀');
  });

  test.each([
    ['a combining mark', 'xe\u0301yz', 3, 'x…'],
    ['two marks', 'xe\u0323\u0301yz', 4, 'x…'],
    ['a variation selector', 'x\u2764\ufe0fyz', 3, 'x…'],
    ['a skin tone', 'x👍🏽yz', 4, 'x…'],
    ['an emoji of several persons', 'x👨\u200d👩\u200d👧yz', 6, 'x…'],
    ['the whole sequence if it fits', 'xe\u0301yz', 4, 'xe\u0301…'],
  ])('a character with others that extend it is not split: %s', (_, text, maxLength, expected) => {
    expect(truncate(text, maxLength)).toBe(expected);
  });

  test('a sequence without end is cut within 32 code units of the limit', () => {
    const text = `a${'\u0301'.repeat(100_000)}`;
    expect(truncate(text, 50_000)).toHaveLength(50_000 - 32);
  });

  test('the middle of a text is omitted between characters', () => {
    expect(truncateMiddle('abcdefghij', 6)).toBe('ab… ij');
    expect(truncateMiddle('abcdef', 6)).toBe('abcdef');
    expect(truncateMiddle('x😀😀😀😀', 8)).toBe('x😀… 😀😀');
    expect(truncateMiddle('😀x😀😀y', 7)).toBe('😀… 😀y');
  });

  test('any text is a beginning of the original with the ending, at most 35 code units shorter than the limit', () => {
    const unit = fc.constantFrom('a', 'é', '\u0301', '😀', '🏽', '\u200d', '\ufe0f', '漢', '\n');
    const endings = fc.constantFrom('…', '', ' (more)');
    let cutCount = 0;
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 60 }),
        fc.integer({ min: 8, max: 60 }),
        endings,
        (text, max, ending) => {
          const result = truncate(text, max, ending);
          if (text.length <= max) expect(result).toBe(text);
          else {
            cutCount++;
            expect(result.endsWith(ending)).toBe(true);
            expect(text.startsWith(result.slice(0, result.length - ending.length))).toBe(true);
            expect(result.length).toBeLessThanOrEqual(max);
            expect(result.length).toBeGreaterThan(max - 36);
          }
          expect(LONE_SURROGATE.test(result)).toBe(false);
          expect(truncate(result, max, ending)).toBe(result);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(cutCount).toBeGreaterThan(10);
  });
});

test('a message that quotes a long name has no half of a character', () => {
  expect(() => resolveAgent(`é${'x'.repeat(98)}😀😀`)).toThrow(`"é${'x'.repeat(98)}…"`);
  expect(() => resolveAgent(`é${'x'.repeat(97)}😀😀`)).toThrow(`"é${'x'.repeat(97)}…"`);
});

/** The expressions of a module that cut a text and mark the cut, or remove half of a surrogate pair. */
function findTruncations(file: string, text: string): string[] {
  const found: string[] = [];
  const check = (source: string): void => {
    const isCut = /\.(?:slice|substring|substr)\(\s*0,/.test(source);
    if (isCut && /…|[^\w\s]\s?\.\.\.[^\w[({]/.test(source)) found.push(source);
  };
  const visit = ({ start, end }: { start: number; end: number }): void => check(text.slice(start, end));
  const { program } = parseSync(file, text);
  new Visitor({
    TemplateLiteral: visit,
    BinaryExpression: visit,
    JSXElement: ({ children }) => {
      const shown = children.filter(({ type }) => type === 'JSXText' || type === 'JSXExpressionContainer');
      check(shown.map(({ start, end }) => text.slice(start, end)).join(''));
    },
    Literal: ({ start, end }) => {
      const source = text.slice(start, end);
      if (/\\ud[89a-f][\da-f]{2}(?:-\\ud[89a-f][\da-f]{2})?\]?\$/i.test(source)) found.push(source);
    },
  }).visit(program);
  return found;
}

describe('the sources', () => {
  test.each([
    'const a = `$'.concat('{text.slice(0, 100)}…`;'),
    'const a = text.length > 9 ? `$'.concat('{text.substring(0, max - 1)}...` : text;'),
    'const a = `$'.concat('{text.slice(0, half)} ... $', '{text.slice(-half)}`;'),
    "const a = text.slice(0, n) + '…';",
    "const a = text.slice(0, n).replace(/[\\ud800-\\udbff]$/, '');",
    'const a = <code>{digest.slice(0, 12)}…</code>;',
  ])('the search finds %s', (source) => {
    expect(findTruncations('a.tsx', source)).not.toEqual([]);
  });

  test('only one function truncates a text', () => {
    const found: string[] = [];
    let count = 0;
    for (const name of ['core', 'client', 'maycrawl', 'web']) {
      for (const path of readdirSync(`${PACKAGES}${name}/src`, { recursive: true, encoding: 'utf8' })) {
        if (!/\.tsx?$/.test(path)) continue;
        count++;
        const file = `${PACKAGES}${name}/src/${path}`;
        for (const each of findTruncations(file, readFileSync(file, 'utf8')))
          found.push(`${name}/src/${path}: ${each}`);
      }
    }
    expect(count).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });
});
