import { CRAWLERS, PROFILES, parse } from '@maycrawl/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CELL } from '../../src/tester/judging/cell.ts';
import { compare } from '../../src/tester/judging/compare.ts';
import { explain } from '../../src/tester/judging/explain.ts';
import { compareCells, countCells, MatrixRun } from '../../src/tester/judging/matrix.ts';
import { SAMPLE_CRAWLERS, SAMPLE_TEXT, SAMPLE_URLS } from '../../src/tester/state/sample.ts';

const sample = parse(SAMPLE_TEXT);

describe('the matrix', () => {
  test('has a byte for each URL and crawler, row by row', () => {
    const run = new MatrixRun(sample, ['/private/press/1', '/private', 'nowhere'], ['Googlebot', 'GPTBot']);
    expect(run.advance(() => false)).toBe(true);
    const { allowed, disallowed, none } = CELL;
    expect([...run.cells]).toEqual([allowed, disallowed, disallowed, disallowed, none, none]);
    expect(countCells(run.cells, 2, disallowed)).toEqual([1, 2]);
  });

  test('is the same in slices', () => {
    const urls = Array.from({ length: 200 }, (_, index) => SAMPLE_URLS[index % SAMPLE_URLS.length] ?? '/');
    const whole = new MatrixRun(sample, urls, SAMPLE_CRAWLERS);
    const sliced = new MatrixRun(sample, urls, SAMPLE_CRAWLERS);
    whole.advance(() => false);
    let slices = 1;
    while (!sliced.advance(() => true)) slices++;
    expect(slices).toBeGreaterThan(5);
    expect(sliced.cells).toEqual(whole.cells);
  });

  test('lists the cells that change', () => {
    const [before, after] = [Uint8Array.of(1, 2, 2, 0), Uint8Array.of(1, 1, 2, 2)];
    expect(compareCells(before, after, 2, 1)).toEqual({
      changed: [{ row: 0, column: 1, before: 2, after: 1 }],
      total: 2,
    });
  });
});

describe('an explanation', () => {
  test('has the group, the matching rules, and why the others lose', () => {
    const robots = parse(`User-agent: *
Allow: /
User-agent: Googlebot
Disallow: /a
Allow: /a/b
Disallow: /a/b
Disallow: /a/*
Disallow: /a/b
Disallow:
Disallow: /c`);
    const { candidates, tokens, line, ruleCount } = explain(
      robots,
      'Googlebot Image',
      'https://a.example/a/b',
    );
    expect(tokens).toEqual([
      { token: 'Googlebot-Image', lines: [], result: 'absent' },
      { token: 'Googlebot', lines: [3], result: 'used' },
      { token: '*', lines: [1], result: 'later' },
    ]);
    expect(line).toBe(5);
    expect(candidates.map((each) => [each.line, each.priority, each.result])).toEqual([
      [5, 4, 'wins'],
      [6, 4, 'tie'],
      [7, 4, 'tie'],
      [8, 4, 'tie'],
      [4, 2, 'shorter'],
      [9, 0, 'empty'],
    ]);
    expect(ruleCount).toBe(7);
  });

  test('has the additional pattern of an index page', () => {
    const robots = parse('User-agent: *\nDisallow: /\nAllow: /x/index.html');
    expect(explain(robots, 'a', '/x/').candidates[0]).toMatchObject({
      line: 3,
      result: 'wins',
      pattern: '/x/$',
      priority: 4,
    });
  });

  test('of a crawler that ignores files, or obeys only its own group', () => {
    const robots = parse('User-agent: *\nDisallow: /');
    expect(explain(robots, 'Google-Safety', '/')).toMatchObject({
      kind: 'allowed',
      tokens: [],
      candidates: [],
    });
    expect(explain(robots, 'AdsBot-Google', '/').tokens).toEqual([
      { token: 'AdsBot-Google', lines: [], result: 'absent' },
      { token: '*', lines: [1], result: 'ignored' },
    ]);
  });

  test('of an invalid URL has the reason', () => {
    expect(explain(sample, 'Googlebot', 'javascript:alert(1)')).toMatchObject({
      kind: 'out-of-scope',
      line: 0,
    });
  });

  test('has the deciding rule as its winner, for any file', () => {
    const line = fc.oneof(
      fc.constantFrom('User-agent: *', 'User-agent: a', 'User-agent: Googlebot', ''),
      fc
        .tuple(fc.constantFrom('Allow', 'Disallow'), fc.stringMatching(/^([/*][a*ü]{0,3}[$]?)?$/))
        .map(([field, value]) => `${field}: ${value}`),
      fc.constantFrom('Allow: /a/index.html', 'Disallow: a', 'Disalow: /a', 'Allow: /a%c3%bc'),
    );
    let won = 0;
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 4, maxLength: 12 }),
        fc.stringMatching(/^\/[aü$*]{0,3}$/),
        fc.constantFrom(
          'a',
          'Googlebot',
          'Googlebot Image',
          ...CRAWLERS.slice(0, 20).map(({ name }) => name),
        ),
        fc.constantFrom(...PROFILES),
        (lines, path, name, profile) => {
          const robots = parse(['User-agent: *', ...lines].join('\n'), { profile });
          const verdict = robots.ruleset(name).decide(path);
          const { candidates, tokens, kind, line: decisive } = explain(robots, name, path);
          expect(kind).toBe(verdict.kind);
          if (verdict.kind === 'out-of-scope') return;
          expect(decisive).toBe(verdict.line);
          expect(candidates.filter(({ result }) => result === 'wins').map((each) => each.line)).toEqual(
            verdict.reason === 'rule' ? [verdict.line] : [],
          );
          if (verdict.overriddenMatch !== null) {
            const overriddenMatch = candidates.find(
              (each) => each.line === verdict.overriddenMatch?.rule.line,
            );
            expect(overriddenMatch?.pattern ?? overriddenMatch?.text).toBeDefined();
            expect(overriddenMatch?.priority).toBe(verdict.overriddenMatch.pattern.length);
          }
          if (verdict.group.kind === 'none')
            expect(tokens.filter(({ result }) => result === 'used')).toEqual([]);
          if (verdict.reason === 'rule') won++;
        },
      ),
      { numRuns: 400 },
    );
    expect(won).toBeGreaterThan(80);
  });
});

test('an explanation has the whole pattern of a rule that is longer after escaping', () => {
  const path = '/\u00e9'.repeat(4_000);
  const robots = parse(`User-agent: *\nAllow: ${path}\nDisallow: ${path}a`);
  const { candidates } = explain(robots, 'Googlebot', `https://a.example${path}a`);
  expect(candidates.map(({ line, result, priority }) => [line, result, priority])).toEqual([
    [3, 'wins', 28_001],
    [2, 'shorter', 28_000],
  ]);
});

describe('a comparison', () => {
  test('is the same as that of the command', () => {
    const compared = (after: string): unknown => compare('User-agent: *\nDisallow: /a', after, 'google');
    expect(compared('User-agent: *\nDisallow: /a')).toMatchObject({
      isEquivalent: true,
      sentence: 'The files are identical.',
    });
    expect(compared('user-agent: *\ndisallow: /a*')).toMatchObject({
      sentence: 'The verdicts are the same for every crawler and URL. Only formatting changed.',
    });
    for (const other of [
      'User-agent: *\nDisallow: /a\nDisallow: /a/b',
      'User-agent: *\nDisallow: /a\nUser-agent: b\nDisallow: /a',
    ])
      expect(compared(other)).toMatchObject({
        sentence:
          'The verdicts are the same for every crawler and URL. Groups or rules changed that make no difference.',
      });
    expect(compared('User-agent: *\nDisallow: /a\nSitemap: https://a.example/s.xml')).toMatchObject({
      sentence: 'The verdicts are the same for every crawler and URL. Other records than rules changed.',
    });
    // A record of another group applies to other crawlers.
    const groups = (first: string, second: string): string =>
      `User-agent: a\nDisallow: /x\n${first}User-agent: b\nDisallow: /y\n${second}`;
    const delay = 'Crawl-delay: 5\n';
    expect(compare(groups(delay, ''), groups('', delay), 'google')).toMatchObject({
      sentence: 'The verdicts are the same for every crawler and URL. Other records than rules changed.',
    });
  });

  test('has each change with an example', () => {
    const comparing = compare('User-agent: *\nDisallow: /a', 'User-agent: *\nDisallow: /b', 'google');
    expect(comparing).toMatchObject({ isEquivalent: false, sentence: 'Verdicts change.' });
    const [group] = comparing.groups;
    expect(group?.crawlers).toContain('*');
    expect(group?.changes.map(({ direction, example }) => [direction, example])).toEqual([
      ['allowed', '/a'],
      ['blocked', '/b'],
    ]);
  });

  test('parses both files with the profile', () => {
    const [before, after] = ['User-agent: *\nDisallow: /%61', 'User-agent: *\nDisallow: /a'];
    expect(compare(before, after, 'google').isEquivalent).toBe(false);
    expect(compare(before, after, 'rfc9309').isEquivalent).toBe(true);
  });
});
