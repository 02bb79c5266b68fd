import { describe, expect, test, vi } from 'vitest';

import {
  type CrawlerInput,
  decideByPolicy,
  describePolicy,
  explainVerdict,
  findCrawler,
  getPolicyCode,
  getPolicySummary,
  POLICY_CODES,
  type PolicyCode,
  parse,
  type RobotsPolicy,
} from '../../../src/index.ts';
import { parse as parseFile } from '../../../src/model/robots-txt.ts';

vi.mock(import('../../../src/model/robots-txt.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, parse: vi.fn(original.parse) };
});

const UNAVAILABLE = { kind: 'allow-all', reason: 'unavailable' } as const;
const LONG_OUTAGE = { kind: 'allow-all', reason: 'outage-expired' } as const;
const UNREACHABLE = { kind: 'disallow-all', reason: 'unreachable' } as const;
const UNKNOWN = { kind: 'unknown' } as const;
/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

describe('decisions by a policy', () => {
  test('the rules of a file decide', () => {
    const robots = parse('User-agent: *\nDisallow: /private\n');
    const policy: RobotsPolicy = { kind: 'rules', robots };
    expect(decideByPolicy(policy, 'a', '/private')).toMatchObject({ kind: 'disallowed', line: 2 });
    expect(decideByPolicy(policy, 'a', '/public').kind).toBe('allowed');
  });

  test('a caller can store compiled rules', () => {
    const policy: RobotsPolicy = { kind: 'rules', robots: parse('') };
    const stored = parse('User-agent: *\nDisallow: /').ruleset('a');
    expect(decideByPolicy(policy, 'a', '/', { getRuleset: () => stored }).kind).toBe('disallowed');
  });

  test.each([
    [UNAVAILABLE, 'allowed', 'unavailable', 'Allowed. The site has no robots.txt, so all URLs are allowed.'],
    [
      LONG_OUTAGE,
      'allowed',
      'outage-expired',
      'Allowed. The robots.txt is unreachable, and the outage policy allows all URLs after this time.',
    ],
    [
      UNREACHABLE,
      'disallowed',
      'unreachable',
      'Disallowed. The robots.txt could not be fetched, so all URLs are disallowed until it is available again.',
    ],
    [
      UNKNOWN,
      'disallowed',
      'unreachable',
      'Disallowed. The robots.txt could not be fetched, so all URLs are disallowed until it is available again.',
    ],
  ] as const)('%o: %s', (policy, kind, reason, sentence) => {
    const verdict = decideByPolicy(policy, 'a', '/x');
    expect(verdict).toMatchObject({ kind, reason, line: 0, rule: null });
    expect(explainVerdict(verdict)).toBe(sentence);
  });

  test('scope, exempt crawlers and the exception for /robots.txt apply without a file too', () => {
    const url = 'https://h.example/robots.txt';
    expect(decideByPolicy(UNAVAILABLE, 'a', 'https://b.example/', { url }).kind).toBe('out-of-scope');
    const exempt = findCrawler('Google-Safety') as CrawlerInput;
    expect(decideByPolicy(UNREACHABLE, exempt, '/x').kind).toBe('allowed');
    expect(decideByPolicy(UNREACHABLE, 'a', '/robots.txt', { profile: 'rfc9309' }).kind).toBe('allowed');
    expect(decideByPolicy(UNREACHABLE, 'a', '/robots.txt').kind).toBe('disallowed');
  });
});

test('decisions without a file parse the empty file once, and again for other options', () => {
  const url = 'https://h.example/robots.txt';
  const options = [{ url }, { profile: 'rfc9309' }, { maxBytes: 3 }, {}];
  const { calls } = vi.mocked(parseFile).mock;
  for (const each of options) {
    const before = calls.length;
    for (let n = 0; n < 9; n++) decideByPolicy(UNREACHABLE, 'a', `https://h.example/${n}`, { ...each });
    expect(calls.length - before).toBe(1);
  }
  expect(() => decideByPolicy(UNREACHABLE, 'a', '/', { maxBytes: -1 })).toThrow(RangeError);
  decideByPolicy(UNREACHABLE, 'a', '/');
  expect(() => decideByPolicy(UNREACHABLE, 'a', '/', any('rfc9309'))).toThrow(TypeError);
});

describe('policies from outside', () => {
  test.each([
    undefined,
    null,
    'unavailable',
    {},
    { kind: 'allow-all' },
    { kind: 'allow-all', reason: 'unreachable' },
    { kind: 'allow-all', reason: '__proto__' },
    { kind: 'disallow-all', reason: 'Unreachable' },
    { kind: 'toString' },
  ])('what is not a policy never reads as "allowed": %o', (policy) => {
    expect(() => decideByPolicy(any(policy), 'TestBot', '/private')).toThrow(RangeError);
    expect(() => getPolicyCode(any(policy))).toThrow(RangeError);
  });

  test.each([undefined, 'absent', 'toString'])('%s is not a policy code', (code) => {
    expect(() => getPolicySummary(any(code))).toThrow(RangeError);
  });

  test('each code names one policy, which has a description', () => {
    for (const code of POLICY_CODES) {
      expect(getPolicyCode(getPolicySummary(code))).toBe(code satisfies PolicyCode);
      expect(describePolicy(getPolicySummary(code))).toMatch(/^[A-Z].*\.$/);
    }
  });
});
