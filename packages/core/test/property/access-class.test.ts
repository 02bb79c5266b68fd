import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { parse } from '../../src/model/robots-txt.ts';
import { AccessClassifier, type AccessKind } from '../../src/proofs/access-class.ts';
import { oracleDecide } from '../oracle/oracle.ts';
import { enumeratePaths } from '../support/enumeration.ts';

const RUNS = getFuzzRuns(30);

describe('files as sites write them', () => {
  const classifier = new AccessClassifier('google');
  const classify = (...rules: string[]) =>
    classifier.classify(parse(['user-agent: *', ...rules].join('\n')).ruleset('x'));

  test.each<readonly [AccessKind, ...string[]]>([
    ['all'],
    ['all', 'disallow:'],
    ['all', 'allow: /'],
    ['all', 'disallow: /', 'allow: /*'],
    ['all', 'disallow: /a', 'allow: /a'],
    ['all', 'disallow: private'],
    ['none', 'disallow: /'],
    ['none', 'disallow: *'],
    ['none', 'disallow: /*'],
    ['none', 'disallow: /', 'disallow: /a'],
    ['none', 'disallow: /a', 'disallow: /*b', 'disallow: /'],
    ['none', 'allow: /a', 'disallow: /', 'disallow: /a*'],
    ['listed-only', 'disallow: /', 'allow: /robots.txt'],
    ['listed-only', 'disallow: /', 'allow: /$'],
    ['listed-only', 'disallow: /', 'allow: /ads.txt', 'allow: /.well-known/acme'],
    ['some', 'disallow: /', 'allow: /ads'],
    ['some', 'disallow: /', 'allow: /robots.txt', 'allow: /$', 'allow: /en/'],
    ['some', 'disallow: /', 'allow: /*.css$'],
    ['some', 'disallow: /private'],
    ['some', 'disallow: /*?'],
    ['some', 'allow: /', 'disallow: /x/y'],
  ])('%s: %j %j %j %j', (kind, ...rules) => {
    expect(classify(...rules).kind).toBe(kind);
  });

  test('witnesses have the deciding line', () => {
    expect(classify('disallow: /')).toEqual({
      kind: 'none',
      allowed: null,
      disallowed: { path: '/', line: 2 },
    });
    expect(classify('allow: /')).toEqual({ kind: 'all', allowed: { path: '/', line: 2 }, disallowed: null });
    expect(classify('disallow: /p')).toEqual({
      kind: 'some',
      allowed: { path: '/a', line: 0 },
      disallowed: { path: '/p', line: 2 },
    });
    expect(classify('disallow: /', 'allow: /ads.txt')).toEqual({
      kind: 'listed-only',
      allowed: { path: '/ads.txt', line: 3 },
      disallowed: { path: '/', line: 2 },
    });
  });

  test('a crawler that ignores robots.txt may fetch all', () => {
    const ruleset = parse('user-agent: *\ndisallow: /').ruleset({ tokens: ['x'], obeys: 'nothing' });
    expect(classifier.classify(ruleset).kind).toBe('all');
  });

  test('a proof without a budget is undecided, and the class of a file with examples needs none', () => {
    const many = [
      'disallow: /',
      ...Array.from({ length: 200 }, (_, index) => `allow: /*${index}b`),
      ...Array.from({ length: 200 }, (_, index) => `disallow: /*${index}b*`),
    ];
    const ruleset = (lines: readonly string[]) => parse(['user-agent: *', ...lines].join('\n')).ruleset('x');
    expect(classifier.classify(ruleset(many), { maxStates: 10 }).kind).toBe('undecided');
    expect(classifier.classify(ruleset(['disallow: /p']), { maxStates: 1 }).kind).toBe('some');
  });

  test('profiles and patterns are checked', () => {
    expect(() => classifier.classify(parse('', { profile: 'rfc9309' }).ruleset('x'))).toThrow(RangeError);
    expect(() => new AccessClassifier('google', ['a'])).toThrow(/not a pattern/);
    expect(() => new AccessClassifier('none')).toThrow(RangeError);
  });
});

const LISTED = ['/a', '/b$'];
const PATHS = enumeratePaths(['/', 'a', 'b', '.', '?', 'x'], 6);

const value = fc
  .array(fc.constantFrom('a', 'a', 'b', '*', '/', '.', '?'), { maxLength: 3 })
  .map((characters) => `/${characters.join('')}`);
const pattern = fc.tuple(value, fc.constantFrom('', '', '*', '$')).map((parts) => parts.join(''));
const rule = fc
  .tuple(fc.constantFrom('allow', 'disallow'), pattern)
  .map(([kind, path]) => `${kind}: ${path}`);
const ban = fc.constantFrom(
  'disallow: /',
  'disallow: /*',
  'disallow: *',
  'allow: /a',
  'allow: /b$',
  'allow: /',
);
const rules = fc.array(fc.oneof(rule, ban), { maxLength: 6 });

/** Classifies by the verdicts of all short paths. */
function classifyByPaths(
  isAllowed: (path: string) => boolean,
  isListed: (path: string) => boolean,
): AccessKind {
  const allowed = PATHS.filter(isAllowed);
  if (allowed.length === PATHS.length) return 'all';
  if (allowed.length === 0) return 'none';
  return allowed.every(isListed) ? 'listed-only' : 'some';
}

test.each(['google', 'rfc9309', 'google-2013'])(
  'the class equals that of all short paths, decided one by one and by the oracle (%s)',
  (profile) => {
    const classifier = new AccessClassifier(profile, LISTED);
    const tally: Record<AccessKind, number> = { all: 0, none: 0, 'listed-only': 0, some: 0, undecided: 0 };
    fc.assert(
      fc.property(rules, fc.integer({ min: 0, max: PATHS.length - 1 }), (lines, index) => {
        const text = ['user-agent: *', ...lines].join('\n');
        const ruleset = parse(text, { profile }).ruleset('x');
        const { kind, allowed, disallowed } = classifier.classify(ruleset);
        tally[kind]++;
        const isAllowed = (path: string): boolean => ruleset.decide(`http://h${path}`).kind === 'allowed';
        const isListed = (path: string): boolean => path.startsWith('/a') || path === '/b';
        expect(kind).toBe(classifyByPaths(isAllowed, isListed));
        const decideNaively = (path: string) =>
          oracleDecide({
            content: new TextEncoder().encode(text),
            preferences: [['x']],
            url: `http://h${path}`,
            profile,
          });
        for (const [witness, verdict] of [
          [allowed, true],
          [disallowed, false],
        ] as const)
          if (witness !== null)
            expect(decideNaively(witness.path)).toMatchObject({ allowed: verdict, line: witness.line });
        expect(allowed === null).toBe(kind === 'none');
        expect(disallowed === null).toBe(kind === 'all');
        if (kind === 'some' && allowed !== null) expect(isListed(allowed.path)).toBe(false);
        const path = PATHS[index] as string;
        if (kind === 'all') expect(decideNaively(path).allowed).toBe(true);
        if (kind === 'none') expect(decideNaively(path).allowed).toBe(false);
        if (kind === 'listed-only') expect(decideNaively(path).allowed && !isListed(path)).toBe(false);
      }),
      { numRuns: RUNS },
    );
    for (const kind of ['all', 'none', 'listed-only', 'some'] as const)
      expect(tally[kind]).toBeGreaterThan(RUNS / 100);
    expect(tally.undecided).toBe(0);
  },
);
