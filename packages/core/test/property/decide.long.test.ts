import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, PROFILES, parse } from '../../src/index.ts';
import { oracleDecide } from '../oracle/oracle.ts';
import { agent, bareToken, LONG_PARAMETERS, robotsFile, url } from '../support/arbitraries.ts';

interface Tally {
  decided: number;
  disallowed: number;
  byRule: number;
  contested: number;
}

/** Guards against vacuous properties: rules must decide enough of the inputs. */
function expectNotVacuous({ decided, disallowed, byRule, contested }: Tally): void {
  // The proportions of few inputs vary too much.
  if (decided < 500) return;
  expect(byRule / decided).toBeGreaterThan(0.15);
  expect(disallowed / decided).toBeGreaterThan(0.04);
  expect(contested / decided).toBeGreaterThan(0.01);
}

describe.each(PROFILES.map(({ name }) => name))('profile %s', (profile) => {
  const tokens = fc.uniqueArray(agent, { minLength: 1, maxLength: 3 });
  const bareTokens = fc.uniqueArray(bareToken, { minLength: 1, maxLength: 3 });

  test('verdicts equal those of the naive oracle', () => {
    const tally: Tally = { decided: 0, disallowed: 0, byRule: 0, contested: 0 };
    fc.assert(
      fc.property(robotsFile, bareTokens, url, fc.boolean(), (content, agents, address, normalize) => {
        const verdict = decide(content, agents, address, { profile, normalize });
        if (verdict.kind === 'out-of-scope') throw new Error(`out of scope: ${verdict.reason}`);
        const { allowed, line, group } = verdict;
        const expected = oracleDecide({
          ...{ content, preferences: [agents], areBare: true },
          ...{ url: address, normalize, profile },
        });
        expect({ allowed, line, group: group.kind }).toEqual(expected);
        tally.decided++;
        if (!allowed) tally.disallowed++;
        if (line > 0) tally.byRule++;
        if (verdict.overriddenMatch !== null) tally.contested++;
      }),
      LONG_PARAMETERS,
    );
    expectNotVacuous(tally);
  });

  test('verdicts for crawlers with fallbacks equal those of the naive oracle', () => {
    fc.assert(
      fc.property(robotsFile, tokens, fc.boolean(), url, (content, preferred, obeysGlobal, address) => {
        const crawler = {
          name: 'x',
          tokens: preferred,
          obeys: obeysGlobal ? 'rules' : 'own-rules',
        } as const;
        const verdict = parse(content, { profile }).ruleset(crawler).decide(address);
        if (verdict.kind === 'out-of-scope') throw new Error(`out of scope: ${verdict.reason}`);
        const { allowed, line, group } = verdict;
        const preferences = preferred.map((token) => [token]);
        const expected = oracleDecide({ content, preferences, obeysGlobal, url: address, profile });
        expect({ allowed, line, group: group.kind }).toEqual(expected);
      }),
      LONG_PARAMETERS,
    );
  });
});

test('the properties of a verdict are consistent', () => {
  fc.assert(
    fc.property(robotsFile, agent, url, (content, name, address) => {
      const verdict = decide(content, name, address);
      if (verdict.kind === 'out-of-scope') throw new Error(`out of scope: ${verdict.reason}`);
      const { kind, allowed, rule, pattern, line, overriddenMatch, reason, path } = verdict;
      expect(kind).toBe(allowed ? 'allowed' : 'disallowed');
      expect(line).toBe(rule?.line ?? 0);
      expect(reason === 'rule').toBe(rule !== null);
      expect(path.startsWith('/')).toBe(true);
      if (rule === null) expect(overriddenMatch).toBeNull();
      else if (rule.value !== '') expect(rule.kind === 'allow').toBe(allowed);
      if (overriddenMatch !== null) {
        expect(overriddenMatch.rule.kind).not.toBe(rule?.kind);
        expect(overriddenMatch.pattern.length).toBeLessThanOrEqual(pattern?.length ?? -1);
      }
    }),
    LONG_PARAMETERS,
  );
});

test('LF, CR and CRLF line ends give the same verdict', () => {
  const text = robotsFile.map((content) =>
    Buffer.from(content)
      .toString('latin1')
      .replace(/[\r\n]+/g, '\n'),
  );
  fc.assert(
    fc.property(text, agent, url, (lines, name, address) => {
      const [lf, cr, crlf] = ['\n', '\r', '\r\n'].map((end) =>
        JSON.stringify(decide(Buffer.from(lines.replaceAll('\n', end), 'latin1'), name, address)),
      );
      expect(cr).toBe(lf);
      expect(crlf).toBe(lf);
    }),
    LONG_PARAMETERS,
  );
});
