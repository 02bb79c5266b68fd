import { describe, expect, test, vi } from 'vitest';
import { GOOGLE } from '../../../src/crawler/profile.ts';
import { parse } from '../../../src/index.ts';
import { findIndexedEntry, packIndexedTable } from '../../../src/matching/indexed-table.ts';
import { rankPatterns } from '../../../src/matching/ranked-patterns.ts';
import { NONE, packRuleTable, RuleTable } from '../../../src/matching/rule-table.ts';
import { getRuleTable } from '../../../src/model/ruleset.ts';
import { collectRules } from '../../../src/syntax/collect.ts';
import { Scanner } from '../../../src/syntax/scanner.ts';

function createTables(patterns: readonly string[]): { plain: RuleTable; indexed: RuleTable } {
  const file = `user-agent: *\n${patterns.map((each) => `disallow: ${each}\n`).join('')}`;
  const bytes = new TextEncoder().encode(file);
  const { rules } = collectRules(new Scanner(bytes, false), {
    tokenSets: [],
    selections: [],
    obeysGlobal: true,
    isExempt: false,
  });
  const ranked = rankPatterns(file, bytes, rules, GOOGLE);
  return {
    plain: new RuleTable(file, packRuleTable(ranked)),
    indexed: new RuleTable(file, packIndexedTable(ranked), findIndexedEntry),
  };
}

describe('numbers take as many bytes as the greatest of the table needs', () => {
  /** Empty lines before the rules, and the bytes of an offset and of a line number. */
  const BEFORE = [
    [0, 1, 1],
    [200, 1, 1],
    [240, 2, 1],
    [300, 2, 2],
    [65_000, 2, 2],
    [65_600, 3, 3],
    [2 ** 24 + 1, 4, 4],
  ] as const;
  const LENGTHS = [
    [5, 1],
    [251, 1],
    [252, 2],
    [300, 2],
  ] as const;

  // The large file takes seconds, so it has one length.
  const CASES = BEFORE.flatMap((before) =>
    (before[0] < 2 ** 24 ? LENGTHS : LENGTHS.slice(2, 3)).map((length) => [...before, ...length] as const),
  );

  test.each(CASES)(
    '%i lines before the rules: %i and %i bytes; names of %i characters: %i bytes',
    (before, startBytes, lineBytes, length, lengthBytes) => {
      // The second pattern is copied, because its escape is compared in upper case.
      const name = 'x'.repeat(length);
      const file = `${'\n'.repeat(before)}user-agent: *\ndisallow: /${name}\nallow: /%7a${name}\n`;
      const ruleset = parse(file, { maxBytes: Number.POSITIVE_INFINITY }).ruleset('a');
      const table = getRuleTable(ruleset);
      const first = file.indexOf('/');
      const second = file.lastIndexOf('/');
      expect(table.packed.charCodeAt(2)).toBe(1 + lengthBytes + startBytes + lineBytes);
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
    },
  );

  test('a rule takes six bytes in a table of a typical file, and a file and its rules less than twice as much as the file', () => {
    const rules = Array.from({ length: 12 }, (_, index) => `Disallow: /folder-${index}/some/long/path/\n`);
    const file = `User-agent: *\n${rules.join('')}`;
    const robots = parse(file);
    const ruleset = robots.ruleset('a');
    const { length } = getRuleTable(ruleset).packed;
    const shorter = parse(file.replace(rules[3] as string, '\n')).ruleset('a');
    expect(length - getRuleTable(shorter).packed.length).toBe(6);
    expect(robots.sizeInBytes + ruleset.sizeInBytes).toBeLessThan(2 * file.length);
  });
});

describe('the index of a table', () => {
  const CHARACTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
    (character) => !'#$%*'.includes(character),
  );

  test('finds the same entries, although paths with different characters have the same key', () => {
    const pairs = CHARACTERS.flatMap((second) => CHARACTERS.map((third) => `/${second}${third}`));
    let compared = 0;
    let won = 0;
    // Every 89th pattern, so that each table has many different second and third characters.
    for (let from = 0; from < 89; from += 11) {
      const patterns = pairs.filter((_, index) => index % 89 === from);
      const { plain, indexed } = createTables(patterns);
      const matches = vi.spyOn(RuleTable.prototype, 'matches');
      const found = pairs.map((path) => indexed.find(path, 0));
      compared += matches.mock.calls.length;
      matches.mockRestore();
      expect(found).toEqual(pairs.map((path) => plain.find(path, 0)));
      won += found.filter((entry) => entry !== NONE).length;
    }
    expect(won).toBeGreaterThan(500);
    // Patterns that did not match were compared, too.
    expect(compared).toBeGreaterThan(2 * won);
  });

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
  ])('decides short paths by %s as the table without index', (pattern, paths) => {
    const { plain, indexed } = createTables([pattern, '/other', '/*other*']);
    for (const path of paths) {
      expect(indexed.find(path, 0), path).toBe(plain.find(path, 0));
      expect(indexed.find(`x${path}`, 1), path).toBe(plain.find(path, 0));
    }
    expect(paths.some((path) => plain.find(path, 0) !== NONE)).toBe(true);
  });

  test('prefers a longer pattern without stars to a shorter one with a star, and the reverse', () => {
    const { indexed } = createTables(['/folder/page', '/*page', '/folder/*/page']);
    const paths = ['/folder/page', '/page', '/folder/page/page', '/folder/other/page'];
    expect(paths.map((path) => indexed.find(path, 0))).toEqual([1, 2, 0, 0]);
  });

  test('skips patterns with stars whose characters a path does not contain', () => {
    const { plain, indexed } = createTables(['/*.pdf$', '/*?id=', '/*/print', '/*.gif$']);
    const matches = vi.spyOn(RuleTable.prototype, 'matches');
    const found = indexed.find('/folder/a.pdf', 0);
    const compared = matches.mock.calls.length;
    matches.mockRestore();
    expect(found).toBe(plain.find('/folder/a.pdf', 0));
    expect(compared).toBe(1);
  });
});
