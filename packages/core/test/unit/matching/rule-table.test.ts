import { describe, expect, test } from 'vitest';
import { GOOGLE } from '../../../src/crawler/profile.ts';
import { parse } from '../../../src/index.ts';
import { createRuleTable } from '../../../src/matching/create-rule-table.ts';
import { GramIndex } from '../../../src/matching/grams/gram-index.ts';
import { NONE, type RuleTable } from '../../../src/matching/rule-table.ts';
import { getRuleTable } from '../../../src/model/ruleset.ts';
import { collectRules } from '../../../src/syntax/collect.ts';
import { Scanner } from '../../../src/syntax/scanner.ts';

function createTable(patterns: readonly string[]): RuleTable {
  const file = `user-agent: *\n${patterns.map((each) => `disallow: ${each}\n`).join('')}`;
  const bytes = new TextEncoder().encode(file);
  const { rules } = collectRules(new Scanner(bytes, false), {
    tokenSets: [],
    selections: [],
    obeysGlobal: true,
    isExempt: false,
  });
  return createRuleTable(file, bytes, rules, GOOGLE);
}

describe('the numbers of an entry are exact', () => {
  /** Empty lines before the rules, and the length of a name. The large file takes seconds, so it has one length. */
  const CASES = [
    [0, 5],
    [240, 251],
    [300, 252],
    [65_600, 300],
    [0, 16_000],
    [2 ** 24 + 1, 300],
  ] as const;

  test.each(CASES)('%i lines before the rules, names of %i characters', (before, length) => {
    // The second pattern is copied, because its escape is compared in upper case.
    const name = 'x'.repeat(length);
    const file = `${'\n'.repeat(before)}user-agent: *\ndisallow: /${name}\nallow: /%7a${name}\n`;
    const ruleset = parse(file, { maxBytes: Number.POSITIVE_INFINITY }).ruleset('a');
    const table = getRuleTable(ruleset);
    const first = file.indexOf('/');
    const second = file.lastIndexOf('/');
    expect([0, 1].map((entry) => table.read(entry))).toMatchObject([
      { isAllow: true, valueStart: second, pattern: `/%7A${name}` },
      { isAllow: false, valueStart: first, pattern: `/${name}` },
    ]);
    expect([table.line(0), table.line(1)]).toEqual([before + 3, before + 2]);
    expect([`/%7A${name}y`, `/${name}y`, `/${name.slice(1)}`].map((path) => table.find(path, 0))).toEqual([
      0,
      1,
      NONE,
    ]);
    expect(ruleset.decide(`/%7A${name}`)).toMatchObject({ kind: 'allowed', line: before + 3 });
    expect(ruleset.decide(`/${name}`)).toMatchObject({
      kind: 'disallowed',
      line: before + 2,
      rule: { line: before + 2, value: `/${name}` },
    });
  });

  test('a rule takes 16 bytes, and a typical file and its rules take less than twice as much as the file', () => {
    const rules = Array.from({ length: 12 }, (_, index) => `Disallow: /folder-${index}/some/long/path/\n`);
    const file = `User-agent: *\n${rules.join('')}`;
    const robots = parse(file);
    const ruleset = robots.ruleset('a');
    const { sizeInBytes } = getRuleTable(ruleset);
    const shorter = parse(file.replace(rules[3] as string, '\n')).ruleset('a');
    expect(sizeInBytes - getRuleTable(shorter).sizeInBytes).toBe(16);
    expect(robots.sizeInBytes + ruleset.sizeInBytes).toBeLessThan(2 * file.length);
  });
});

describe('a gram index', () => {
  test.each([
    ['/', ['/', '/a', '/ab']],
    ['', ['/', '/a']],
    ['/$', ['/', '/a']],
    ['/a', ['/', '/a', '/ab', '/b', '/aé']],
    ['/a*', ['/', '/a', '/ab', '/b']],
    ['/a$', ['/a', '/ab']],
    ['/a*b', ['/a', '/ab', '/acb', '/axé/b', '/bab']],
    ['*/', ['/', '/a']],
    ['/*', ['/', '/a']],
    ['/**a', ['/', '/a', '/ba', '/A', '/!']],
    ['*a*', ['/', '/a', '/ba']],
    ['/*.a$', ['/x.a', '/x.b', '/.a/', '/n.a']],
  ])('decides short paths by %s as the table does', (pattern, paths) => {
    const table = createTable([pattern, '/other', '/*other*']);
    const index = new GramIndex(table);
    for (const path of paths) {
      expect(index.find(path, 0), path).toBe(table.find(path, 0));
      expect(index.find(`x${path}`, 1), path).toBe(table.find(path, 0));
    }
    expect(paths.some((path) => table.find(path, 0) !== NONE)).toBe(true);
  });

  test('prefers a longer pattern without stars to a shorter one with a star, and the reverse', () => {
    const table = createTable(['/folder/page', '/*page', '/folder/*/page']);
    const paths = ['/folder/page', '/page', '/folder/page/page', '/folder/other/page'];
    expect(paths.map((path) => table.find(path, 0))).toEqual([1, 2, 0, 0]);
  });
});
