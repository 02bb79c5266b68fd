import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, isProductToken, PROFILES, parse } from '../../src/index.ts';
import * as light from '../../src/light.ts';
import { decideInOnePass } from '../../src/model/decide.ts';
import { collectRules } from '../../src/syntax/collect.ts';
import { collectInOnePass } from '../../src/syntax/one-pass.ts';
import { Scanner } from '../../src/syntax/scanner.ts';
import { agent, anyBytes, FUZZ_PARAMETERS, robotsFile, url } from '../support/arbitraries.ts';

const tokens = fc.uniqueArray(agent, { minLength: 1, maxLength: 3 });
const anyProfile = fc.constantFrom(...PROFILES);

test('decide returns the same verdict and reasons as parse and Ruleset.decide', () => {
  let onePass = 0;
  let runs = 0;
  fc.assert(
    fc.property(robotsFile, tokens, url, anyProfile, (content, crawler, address, profile) => {
      const once = decide(content, crawler, address, { profile });
      runs++;
      if (decideInOnePass(content, crawler, address, { profile }) !== undefined) onePass++;
      const parsed = parse(content, { profile }).ruleset(crawler).decide(address);
      expect(JSON.stringify(once)).toBe(JSON.stringify(parsed));
      if (once.kind === 'out-of-scope' || parsed.kind === 'out-of-scope') throw new Error('out of scope');
      const { kind, allowed, reason, line, groupKind, normalized, path, group, pattern } = parsed;
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
      expect(once.rule).toEqual(parsed.rule);
      expect(once.overriddenMatch).toEqual(parsed.overriddenMatch);
    }),
    FUZZ_PARAMETERS,
  );
  // Not vacuous: both paths were taken.
  expect(onePass).toBeGreaterThan(runs / 8);
  expect(runs - onePass).toBeGreaterThan(runs / 8);
});

test('URLs in request form are decided in one pass', () => {
  const address = fc.constantFrom(
    'https://example.com/',
    'http://a.example/a/b?c=d',
    '/fish/index.html',
    '/a%2Fb',
  );
  fc.assert(
    fc.property(robotsFile, agent, address, (content, crawler, place) => {
      const once = decide(content, crawler, place);
      const parsed = parse(content).ruleset(crawler).decide(place);
      expect(JSON.stringify(once)).toBe(JSON.stringify(parsed));
      expect(decideInOnePass(content, crawler, place, {})).toBeDefined();
    }),
    FUZZ_PARAMETERS,
  );
});

const decodeLatin1 = (content: Uint8Array, start: number, end: number): string =>
  Buffer.from(content.subarray(start, end)).toString('latin1');

test('collectInOnePass collects the same rules as collectRules and RobotsTxt.groups', () => {
  let rules = 0;
  fc.assert(
    fc.property(
      fc.oneof(robotsFile, robotsFile, anyBytes),
      tokens,
      fc.boolean(),
      fc.boolean(),
      (content, set, obeysGlobal, exactFields) => {
        const named = set.filter(isProductToken);
        const preference = { tokenSets: [named], obeysGlobal, isExempt: false };
        const list = collectInOnePass(content, exactFields, preference);
        const found = Array.from({ length: list.count }, (_, index) => index)
          .filter((index) => list.isIn(index, list.chosen))
          .map((index) => ({
            isAllow: list.isAllow(index),
            line: list.line(index),
            value: decodeLatin1(content, list.valueStart(index), list.valueEnd(index)),
          }));
        const { chosen } = list;
        const collected = collectRules(new Scanner(content, exactFields), preference);
        const scannedRules = collected.rules.map(({ isAllow, line, valueStart, valueEnd }) => ({
          isAllow,
          line,
          value: decodeLatin1(content, valueStart, valueEnd),
        }));
        expect({ chosen, rules: found }).toEqual({ chosen: collected.chosen, rules: scannedRules });
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

test('the light entry point gives the same verdicts', () => {
  fc.assert(
    fc.property(
      robotsFile,
      tokens,
      url,
      anyProfile,
      fc.boolean(),
      (content, crawler, address, profile, normalize) => {
        const options = { profile, normalize };
        const expected = JSON.stringify(parse(content, options).ruleset(crawler).decide(address, options));
        expect(JSON.stringify(light.decide(content, crawler, address, options))).toBe(expected);
      },
    ),
    FUZZ_PARAMETERS,
  );
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
