import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isProductToken } from '../../src/crawler/crawler.ts';
import { decide, PROFILES, type Profile, parse, type Ruleset } from '../../src/index.ts';
import { getRuleTable } from '../../src/model/ruleset.ts';
import { collectRules } from '../../src/syntax/collect.ts';
import { ALLOW, DISALLOW, USER_AGENT } from '../../src/syntax/fields.ts';
import { getKernel } from '../../src/syntax/kernel.ts';
import { type RuleLines, readRuleLines } from '../../src/syntax/rule-lines.ts';
import { Scanner } from '../../src/syntax/scanner.ts';
import { agent, anyBytes, FUZZ_PARAMETERS, robotsFile, takeShare, url } from '../support/arbitraries.ts';

const tokens = fc.uniqueArray(agent, { minLength: 1, maxLength: 3 });
const anyProfile = fc.constantFrom(...PROFILES);

/** Parses a file, and compiles the rules of a crawler. */
function compile(content: Uint8Array, crawler: string | readonly string[], profile?: Profile): Ruleset {
  const ruleset = parse(content, profile === undefined ? {} : { profile }).ruleset(crawler);
  getRuleTable(ruleset);
  return ruleset;
}

test('decisions from the file equal those of compiled rules, with all reasons', () => {
  let uncompiled = 0;
  let runs = 0;
  fc.assert(
    fc.property(robotsFile, tokens, url, anyProfile, (content, crawler, address, profile) => {
      const once = decide(content, crawler, address, { profile });
      const compiled = compile(content, crawler, profile).decide(address);
      expect(JSON.stringify(once)).toBe(JSON.stringify(compiled));
      if (once.kind === 'out-of-scope' || compiled.kind === 'out-of-scope') throw new Error('out of scope');
      const { kind, allowed, reason, line, groupKind, normalized, path, group, pattern } = compiled;
      expect(once).toMatchObject({
        kind,
        allowed,
        reason,
        line,
        groupKind,
        normalized,
        path,
        group,
        pattern,
      });
      expect(once.rule).toEqual(compiled.rule);
      expect(once.overriddenMatch).toEqual(compiled.overriddenMatch);
      const ruleset = parse(content, { profile }).ruleset(crawler);
      const size = ruleset.sizeInBytes;
      expect(ruleset.decide(address)).toEqual(once);
      runs++;
      if (ruleset.sizeInBytes === size) uncompiled++;
    }),
    FUZZ_PARAMETERS,
  );
  // Not vacuous: both ways were taken.
  expect(uncompiled).toBeGreaterThan(runs / 8);
  expect(runs - uncompiled).toBeGreaterThan(runs / 8);
});

test('decisions of catalogue crawlers with fallbacks from the file equal those of compiled rules', () => {
  const crawler = fc.record({
    name: fc.constant('x'),
    tokens: tokens,
    obeys: fc.constantFrom('rules' as const, 'own-rules' as const, 'nothing' as const),
  });
  fc.assert(
    fc.property(robotsFile, crawler, url, (content, chosen, address) => {
      const once = decide(content, chosen, address);
      const ruleset = parse(content).ruleset(chosen);
      getRuleTable(ruleset);
      expect(JSON.stringify(once)).toBe(JSON.stringify(ruleset.decide(address)));
    }),
    FUZZ_PARAMETERS,
  );
});

const decodeLatin1 = (content: Uint8Array, start: number, end: number): string =>
  Buffer.from(content.subarray(start, end)).toString('latin1');

/** Returns the user-agent lines and rules that a reader finds. */
function readAll(lines: RuleLines): object[] {
  const found: object[] = [];
  while (lines.next()) {
    const { bytes, kind, line, valueStart, valueEnd } = lines;
    if (kind !== USER_AGENT && kind !== ALLOW && kind !== DISALLOW) continue;
    found.push({ kind, line, valueStart, value: decodeLatin1(bytes, valueStart, valueEnd) });
  }
  return found;
}

test('the kernel finds the same lines as the scanner', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.oneof(robotsFile, anyBytes), fc.boolean(), (content, exactFields) => {
      const lines = readRuleLines(content, exactFields);
      // Not vacuous: the kernel is used, unless the tests run without WebAssembly.
      expect(lines instanceof Scanner).toBe(getKernel() === undefined);
      const all = readAll(lines);
      expect(all).toEqual(readAll(new Scanner(content, exactFields)));
      found += all.length;
    }),
    FUZZ_PARAMETERS,
  );
  expect(found).toBeGreaterThan(FUZZ_PARAMETERS.numRuns);
});

test('the kernel finds the same lines in files of several blocks', () => {
  const parts = fc.array(fc.oneof(robotsFile, anyBytes), { minLength: 50, maxLength: 150 });
  fc.assert(
    fc.property(parts, (files) => {
      const content = new Uint8Array(Buffer.concat(files));
      expect(readAll(readRuleLines(content, false))).toEqual(readAll(new Scanner(content, false)));
    }),
    takeShare(FUZZ_PARAMETERS, 50),
  );
});

test('collectRules collects the rules of the groups that RobotsTxt.groups returns', () => {
  let rules = 0;
  fc.assert(
    fc.property(
      fc.oneof(robotsFile, robotsFile, anyBytes),
      tokens,
      fc.boolean(),
      fc.boolean(),
      (content, set, obeysGlobal, exactFields) => {
        const named = set.filter(isProductToken);
        const preference = { tokenSets: [named], selections: [], obeysGlobal, isExempt: false };
        const { rules: found } = collectRules(readRuleLines(content, exactFields), preference);
        const groups = parse(content, { profile: exactFields ? 'rfc9309' : 'google' }).groups();
        const lower = named.map((name) => name.toLowerCase());
        const own = groups.filter(({ userAgents }) =>
          userAgents.some(({ productToken: token }) => lower.includes(token)),
        );
        const global = groups.filter(({ userAgents }) =>
          userAgents.some(({ productToken: token }) => token === '*'),
        );
        const expected = (own.length > 0 ? own : obeysGlobal ? global : []).flatMap((group) => group.rules);
        expect(found.map(({ line }) => line)).toEqual(expected.map(({ line }) => line));
        rules += found.length;
      },
    ),
    FUZZ_PARAMETERS,
  );
  expect(rules).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 2);
});

test.each([
  ['a line in which the limit truncates the field name', `${' '.repeat(16_655)}Disallow: /`],
  ['a line with another field name', 'Dispatch: /'],
  ['a misspelled rule', 'Disalow: /zz'],
])('rules after %s end the list of user-agent lines, also if they do not match the path', (_name, line) => {
  const content = `User-agent: *\n${line}\nAllow: //\nUser-agent: FooBot\nDisallow: /\n`;
  expect(decide(content, 'BarBot', '/a')).toMatchObject({ allowed: true, line: 0 });
  expect(compile(Buffer.from(content), 'BarBot').decide('/a')).toMatchObject({ allowed: true, line: 0 });
});

test.each([
  ['/\xffx', '/%FFx'],
  ['/a\xff/', '/a%FF/'],
  ['/\xff', '/%FF'],
  ['/*\xffx', '/y%FFx'],
  ['/$x', '/$x'],
  ['/', '/'],
])('the rule %j in Latin-1 matches the path %s', (rule, path) => {
  const content = Buffer.from(`User-agent: *\nDisallow: ${rule}\n`, 'latin1');
  expect(decide(content, 'a', path)).toMatchObject({ kind: 'disallowed', line: 2 });
  expect(parse(content).ruleset('a').decide(path)).toMatchObject({ kind: 'disallowed', line: 2 });
});
