import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitSpan, placeIn } from '../../src/watch/history/spans.ts';
import { linkTo, parseRoute, type Route } from '../../src/watch/route.ts';
import { splitDuration, toMilliseconds } from '../../src/watch/text.ts';
import { type LinePair, pairLines } from '../../src/watch/versions/line-pairs.ts';

/** Lines of one side, with the number of omitted ones. */
function side(pairs: readonly LinePair[], name: 'left' | 'right'): (string | number)[] {
  return pairs.flatMap((pair) => (pair.kind === 'gap' ? pair.count : (pair[name]?.text ?? [])));
}

describe('two files side by side', () => {
  test('what stayed stands beside itself, what changed beside what it became', () => {
    const pairs = pairLines(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'y', 'd']);
    expect(pairs).toEqual([
      { kind: 'same', left: { number: 1, text: 'a' }, right: { number: 1, text: 'a' } },
      { kind: 'changed', left: { number: 2, text: 'b' }, right: { number: 2, text: 'x' } },
      { kind: 'same', left: { number: 3, text: 'c' }, right: { number: 3, text: 'c' } },
      { kind: 'changed', left: null, right: { number: 4, text: 'y' } },
      { kind: 'same', left: { number: 4, text: 'd' }, right: { number: 5, text: 'd' } },
    ]);
  });

  test('lines far from changes are omitted', () => {
    const lines = Array.from({ length: 100 }, (_, index) => String(index));
    expect(side(pairLines(lines, [...lines.slice(0, 50), 'new', ...lines.slice(50)]), 'right')).toEqual([
      ...[47, '47', '48', '49', 'new', '50', '51', '52', 47],
    ]);
    expect(pairLines(lines, lines)).toEqual([{ kind: 'gap', count: 100 }]);
    expect(pairLines([], [])).toEqual([]);
  });

  test('nothing is lost, and all that is said to have stayed has', () => {
    const line = fc.constantFrom('a', 'b', 'c', '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
        const pairs = pairLines(before, after);
        for (const pair of pairs) if (pair.kind === 'same') expect(pair.left.text).toBe(pair.right.text);
        for (const [name, lines] of [
          ['left', before],
          ['right', after],
        ] as const) {
          let at = 0;
          for (const each of side(pairs, name))
            if (typeof each === 'number') at += each;
            else expect(each).toBe(lines[at++]);
          expect(at).toBe(lines.length);
        }
      }),
    );
  });

  test('files that have nothing in common do not take long', () => {
    const lines = (name: string): string[] =>
      Array.from({ length: 100_000 }, (_, index) => `${name}${index}`);
    expect(pairLines(lines('a'), lines('b')).length).toBe(100_000);
  });
});

test('a route is what its link says', () => {
  const origin = 'https://shop.example:8443';
  const routes: Route[] = [
    { view: 'sites' },
    { view: 'site', origin },
    { view: 'version', origin, number: 3 },
    { view: 'compare', origin, before: 1, after: 2 },
  ];
  for (const route of routes) expect(parseRoute(linkTo(route))).toEqual(route);
  for (const broken of [
    '',
    '#',
    '#/site/',
    '#/version/https%3A%2F%2Fh/0',
    '#/compare/https%3A%2F%2Fh/1',
    '#/x/y',
  ])
    expect(parseRoute(broken)).toEqual({ view: 'sites' });
});

test('spans and lengths of time', () => {
  expect(limitSpan({ from: 0, to: 100 }, 10)).toEqual({ from: 90, to: 100 });
  expect(limitSpan({ from: 0, to: 100 }, Number.POSITIVE_INFINITY)).toEqual({ from: 0, to: 100 });
  expect([-5, 0, 25, 100, 200].map((at) => placeIn({ from: 0, to: 100 }, at))).toEqual([0, 0, 25, 100, 100]);
  expect(placeIn({ from: 5, to: 5 }, 5)).toBe(0);
  expect(splitDuration(90 * 60_000)).toEqual({ count: 90, unit: 'minute' });
  expect(splitDuration(90_000)).toEqual({ count: 90, unit: 'second' });
  expect(toMilliseconds(3, 'hour')).toBe(10_800_000);
  expect(toMilliseconds(3, 'year')).toBeNaN();
});
