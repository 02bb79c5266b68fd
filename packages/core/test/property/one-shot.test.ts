import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectRules } from '../../src/collect.ts';
import { ways } from '../../src/decide.ts';
import { decide, PROFILES, parse } from '../../src/index.ts';
import { agent, anyBytes, FUZZ_PARAMETERS, robotsFile, url } from '../support/arbitraries.ts';

const tokens = fc.uniqueArray(agent, { minLength: 1, maxLength: 3 });
const profile = fc.constantFrom(...PROFILES);

test('one decision about a file is the decision about the parsed file, reasons included', () => {
  const before = { ...ways };
  fc.assert(
    fc.property(robotsFile, tokens, url, profile, (content, crawler, address, reading) => {
      const once = decide(content, crawler, address, { profile: reading });
      const parsed = parse(content, { profile: reading }).ruleset(crawler).decide(address);
      expect(JSON.stringify(once)).toBe(JSON.stringify(parsed));
      if (once.kind === 'out-of-scope' || parsed.kind === 'out-of-scope') throw new Error('out of scope');
      const { kind, allowed, because, line, groupKind, normalized, path, group, pattern } = parsed;
      expect(once).toMatchObject({
        kind,
        allowed,
        because,
        line,
        groupKind,
        normalized,
        path,
        group,
        pattern,
      });
      expect(once.rule).toEqual(parsed.rule);
      expect(once.loser).toEqual(parsed.loser);
    }),
    FUZZ_PARAMETERS,
  );
  // The short way was really taken, and so was the long one.
  expect(ways.short - before.short).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 8);
  expect(ways.long - before.long).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 8);
});

test('on plain URLs the short way is taken under every profile that compares patterns as they are written', () => {
  const address = fc.constantFrom(
    'https://example.com/',
    'http://a.example/a/b?c=d',
    '/fish/index.html',
    '/a%2Fb',
  );
  const before = { ...ways };
  fc.assert(
    fc.property(robotsFile, agent, address, (content, crawler, place) => {
      const once = decide(content, crawler, place);
      const parsed = parse(content).ruleset(crawler).decide(place);
      expect(JSON.stringify(once)).toBe(JSON.stringify(parsed));
    }),
    FUZZ_PARAMETERS,
  );
  expect(ways.long).toBe(before.long);
});

test('the rules that one pass collects are those of the groups', () => {
  let rules = 0;
  fc.assert(
    fc.property(
      fc.oneof(robotsFile, robotsFile, anyBytes),
      tokens,
      fc.boolean(),
      fc.boolean(),
      (content, set, obeysGlobal, exactFields) => {
        const named = set.filter((name) => /^[\w-]+$/.test(name) && !/\d/.test(name));
        const list = collectRules(content, exactFields, { sets: [named], obeysGlobal, exempt: false });
        const found = Array.from({ length: list.count }, (_, index) => index)
          .filter((index) => list.isIn(index, list.chosen))
          .map((index) => ({
            line: list.line(index),
            kind: list.isAllow(index) ? 'allow' : 'disallow',
            text: Buffer.from(content.subarray(list.valueStart(index), list.valueEnd(index))).toString(
              'latin1',
            ),
          }));
        const groups = parse(content, { profile: exactFields ? 'rfc9309' : 'google' }).groups();
        const lower = named.map((name) => name.toLowerCase());
        const own = groups.filter(({ userAgents }) => userAgents.some(({ token }) => lower.includes(token)));
        const global = groups.filter(({ userAgents }) => userAgents.some(({ token }) => token === '*'));
        const chosen = own.length > 0 ? own : obeysGlobal ? global : [];
        const expected = chosen.flatMap((group) => group.rules).map(({ line, kind }) => ({ line, kind }));
        expect(found.map(({ line, kind }) => ({ line, kind }))).toEqual(expected);
        rules += found.length;
      },
    ),
    FUZZ_PARAMETERS,
  );
  expect(rules).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 2);
});
