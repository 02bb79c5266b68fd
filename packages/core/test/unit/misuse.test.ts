import { expect, test } from 'vitest';
import { selectCrawlers } from '../../src/crawlers.ts';
import {
  decide,
  decideByPolicy,
  GOOGLE,
  getRobotsTxtUrl,
  parse,
  type Ruleset,
  RulesetCache,
  recognizeCrawler,
} from '../../src/index.ts';
import { combineDirectives } from '../../src/indexability.ts';
import { XmlScanner } from '../../src/internal.ts';
import { fix, lint } from '../../src/lint.ts';
import {
  compareDeclarations,
  findPageProblems,
  listDeclarations,
  parseRsl,
  parseTdmRep,
  readPreferences,
  setPreferences,
} from '../../src/preferences.ts';
import {
  compareFiles,
  compareRecords,
  findRedundantRules,
  minify,
  proveVerdict,
  VerdictProver,
} from '../../src/proofs.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';
/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;
const ruleset = (): Ruleset => parse(FILE).ruleset('TestBot');

test.each(['google-2013', 5, null, true])('options that are no object are refused: %o', (options) => {
  expect(() => parse(FILE, any(options))).toThrow(TypeError);
  expect(() => decide(FILE, 'TestBot', '/private', any(options))).toThrow(TypeError);
});

test.each(['5', 1.5, -1, Number.NaN, Number.NEGATIVE_INFINITY, null])(
  'a maxBytes that is no number of bytes is refused: %o',
  (maxBytes) => {
    const type = typeof maxBytes === 'number' ? RangeError : TypeError;
    expect(() => parse(FILE, { maxBytes: any(maxBytes) })).toThrow(type);
    expect(() => decide(FILE, 'TestBot', '/private', { maxBytes: any(maxBytes) })).toThrow(type);
  },
);

test.each([5, null, {}, ['http://a.example/robots.txt'], { href: 5 }, Symbol('x')])(
  'a URL that is neither a string nor a URL object is refused: %o',
  (url) => {
    expect(() => parse(FILE, { url: any(url) })).toThrow(TypeError);
    expect(() => getRobotsTxtUrl(any(url))).toThrow(TypeError);
    expect(() => decide(FILE, 'TestBot', any(url))).toThrow(TypeError);
    expect(() => parse(FILE).ruleset('TestBot').decide(any(url))).toThrow(TypeError);
  },
);

test('an instance of URL is a URL everywhere', () => {
  const file = new URL('https://a.example/robots.txt');
  const url = new URL('https://a.example/private');
  expect(getRobotsTxtUrl(url)).toBe(file.href);
  expect(decide(FILE, 'TestBot', url, { url: file })).toMatchObject({ kind: 'disallowed', path: '/private' });
  expect(parse(FILE, { url: file }).ruleset('TestBot').decide(url).kind).toBe('disallowed');
  const policy = { kind: 'rules', robots: parse(FILE) } as const;
  expect(decideByPolicy(policy, 'TestBot', url).kind).toBe('disallowed');
  expect(decideByPolicy({ kind: 'unknown' }, 'TestBot', url, { url: file }).kind).toBe('disallowed');
});

test.each(['shop.example', '', '/robots.txt', 'mailto:a@b.example', 'https://'])(
  'the URL %j of a robots.txt is refused, because every verdict would be out of scope',
  (url) => {
    expect(() => parse(FILE, { url })).toThrow(RangeError);
    expect(() => parse(FILE, { url })).toThrow(JSON.stringify(url));
    expect(() => decide(FILE, 'TestBot', '/private', { url })).toThrow(RangeError);
  },
);

const MISSPELLED = [
  ['parse', () => parse(FILE, any({ profil: 'google-2013' })), 'profile'],
  ['decide', () => decide(FILE, 'TestBot', '/', any({ profil: 'google-2013' })), 'profile'],
  ['decide', () => decide(FILE, 'TestBot', '/', any({ maxbytes: 5 })), 'maxBytes'],
  ['decide', () => decide(FILE, 'TestBot', '/', any({ normalise: false })), 'normalize'],
  [
    'Ruleset.decide',
    () =>
      parse(FILE)
        .ruleset('TestBot')
        .decide('/', any({ normalise: false })),
    'normalize',
  ],
  [
    'decideByPolicy',
    () => decideByPolicy({ kind: 'unknown' }, 'TestBot', '/', any({ getRulset: 5 })),
    'getRuleset',
  ],
  ['RulesetCache', () => new RulesetCache(parse(FILE), any({ maxByte: 5 })), 'maxBytes'],
  ['a profile', () => parse(FILE, { profile: any({ ...GOOGLE, comparision: 'escaped' }) }), 'comparison'],
  ['lint', () => lint(parse(FILE), any({ budgets: 5 })), 'budget'],
  ['fix', () => fix(parse(FILE), [], any({ budgt: 5 })), 'budget'],
  ['minify', () => minify(parse(FILE), any({ maxState: 5 })), 'maxStates'],
  ['compareFiles', () => compareFiles(parse(FILE), parse(FILE), any({ crawler: [] })), 'crawlers'],
  ['compareRecords', () => compareRecords(parse(FILE), parse(FILE), any({ budge: 1 })), 'budget'],
  ['findRedundantRules', () => findRedundantRules(parse(FILE), any({ maxstates: 1 })), 'maxStates'],
  ['proveVerdict', () => proveVerdict(ruleset(), '/', true, any({ bugdet: 1 })), 'budget'],
  ['VerdictProver', () => new VerdictProver(ruleset(), ['/'], any({ bugdet: 1 })), 'budget'],
  ['readPreferences', () => readPreferences({}, 'TestBot', '/', any({ policyToken: [] })), 'policyTokens'],
  ['readPreferences', () => readPreferences(any({ header: [] }), 'TestBot', '/'), 'headers'],
  ['listDeclarations', () => listDeclarations(parse(FILE), any({ limits: 1 })), 'limit'],
  [
    'compareDeclarations',
    () => compareDeclarations(parse(FILE), parse(FILE), any({ policytokens: [] })),
    'policyTokens',
  ],
  [
    'setPreferences',
    () => setPreferences(FILE, { 'ai-train': 'disallowed' }, any({ format: [] })),
    'formats',
  ],
  ['selectCrawlers', () => selectCrawlers([], any({ purpose: ['ai-train'] })), 'purposes'],
  ['findPageProblems', () => findPageProblems(any({ header: [] })), 'headers'],
  ['XmlScanner', () => new XmlScanner(any({}), any({ maxTagChar: 1 })), 'maxTagChars'],
  ['bare tokens', () => parse(FILE).ruleset(any({ tokens: ['x'], obey: 'rules' })), 'obey'],
] as const;

test.each(MISSPELLED)('%s refuses a misspelled option, and names the nearest one', (_entry, run, name) => {
  expect(run).toThrow(TypeError);
  expect(run).toThrow(new RegExp(`unknown option .*"${name}"`));
});

test('a claim, a time and a list of crawlers that are missing are errors, because they would permit', () => {
  expect(() => proveVerdict(ruleset(), '/*', any('allowed'))).toThrow(TypeError);
  for (const now of [undefined, Number.NaN, '2026'])
    expect(() => combineDirectives([], 'TestBot', any(now))).toThrow(TypeError);
  expect(() => compareFiles(parse(FILE), parse(''), { crawlers: [] })).toThrow(RangeError);
  expect(() => compareDeclarations(parse(FILE), parse(''), { crawlers: [] })).toThrow(RangeError);
  const policy = { kind: 'rules', robots: parse(FILE) } as const;
  expect(() => decideByPolicy(policy, 'Foo Bar', '/b', { getRuleset: ruleset })).toThrow(TypeError);
});

test('a URL object that changes is another URL for the next decision without a file', () => {
  const url = new URL('https://a.example/robots.txt');
  const unavailable = { kind: 'allow-all', reason: 'unavailable' } as const;
  expect(decideByPolicy(unavailable, 'TestBot', 'https://a.example/', { url }).kind).toBe('allowed');
  url.host = 'b.example';
  expect(decideByPolicy(unavailable, 'TestBot', 'https://a.example/', { url }).kind).toBe('out-of-scope');
  expect(decideByPolicy(unavailable, 'TestBot', 'https://b.example/', { url }).kind).toBe('allowed');
});

test('an inherited option counts, and so does a misspelled one', () => {
  expect(decide('Disallow', 'TestBot', '/', Object.create({ profile: 'rfc9309' })).kind).toBe('allowed');
  expect(() => decide(FILE, 'TestBot', '/', Object.create({ profil: 'rfc9309' }))).toThrow(/"profile"/);
});

test('members of classes are options, too, so a Map and a misspelled accessor are errors', () => {
  class Options {
    get profile(): string {
      return 'rfc9309';
    }
  }
  class MisspelledOptions extends Options {
    get maxByte(): number {
      return 5;
    }
  }
  expect(decide('Disallow', 'TestBot', '/', new Options()).kind).toBe('allowed');
  expect(() => decide(FILE, 'TestBot', '/', any(new MisspelledOptions()))).toThrow(/"maxBytes"/);
  const map = new Map([['profile', 'google-2013']]);
  expect(() => decide(FILE, 'TestBot', '/', any(map))).toThrow(/unknown option/);
});

test.each([
  [{ kind: 'rules' }, TypeError, 'the policy "rules" needs robots'],
  [{ kind: 'rules', robots: FILE }, TypeError, 'the policy "rules" needs robots'],
  [null, RangeError, 'not a robots policy: null'],
  [{ kind: 'allow-al' }, RangeError, 'not a robots policy: kind "allow-al", reason undefined'],
])('the policy %j is an error', (policy, type, message) => {
  const run = () => decideByPolicy(any(policy), 'TestBot', '/');
  expect(run).toThrow(type);
  expect(run).toThrow(message);
});

test.each([null, 5, {}, ['train-ai=n'], new Uint8Array(1)])(
  'the text %o is an error, because it would read as one that restricts nothing',
  (text) => {
    const calls = [parseTdmRep, parseRsl, recognizeCrawler];
    for (const call of calls) expect(() => call(any(text))).toThrow(TypeError);
  },
);

test('a name that resembles no option gets the list of options, and a long one is shortened', () => {
  expect(() => parse(FILE, any({ lookup: 5 }))).toThrow('The options are profile, url, maxBytes.');
  expect(() => parse(FILE, any({ ['x'.repeat(1_000_000)]: 5 }))).toThrow(/^.{1,200}$/s);
  expect(() => parse(FILE, any({ ['__proto__x']: 5 }))).toThrow(TypeError);
  expect(() => parse(FILE, any({ toString: 5 }))).toThrow(TypeError);
});
