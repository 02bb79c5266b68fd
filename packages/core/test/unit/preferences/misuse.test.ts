/** Misuse of readPreferences, and content that would make reports large. */
import { expect, test } from 'vitest';
import { parse } from '../../../src/index.ts';
import {
  compareDeclarations,
  createPolicyToken,
  type PageSources,
  PreferenceReader,
  type PreferenceSettings,
  type PreferenceSources,
  readPreferences,
  type SiteSources,
  setPreferences,
} from '../../../src/preferences.ts';

const URL_OF_PAGE = 'https://example.com/';

test.each([
  [undefined, 'sources: the options must be an object, not undefined'],
  [{ robots: 'User-agent: *' }, 'sources has no robots: give policy'],
  [{ tdmrep: 5 }, 'the option "tdmrep" must be of type string, not 5'],
  [{ rsl: [{}] }, 'rsl must be an array of documents { url, text }, not [object Object]'],
  [{ rsl: [null] }, 'rsl must be an array of documents { url, text }'],
  [{ headers: 5 }, 'headers must be an array of pairs of a name and a value, not 5'],
  [{ headers: [['tdm-reservation', 1]] }, 'headers must be an array of pairs'],
  [{ metas: [{ name: 'robots' }] }, 'metas must be an array of elements { name, content }'],
  [{ licenses: [new URL(URL_OF_PAGE)] }, 'licenses must be an array of URLs'],
  [{ inlineRsl: '<rsl/>' }, 'inlineRsl must be an array of strings, not <rsl/>'],
])('sources %j are a TypeError that names them', (sources, message) => {
  const read = () => readPreferences(sources as unknown as PreferenceSources, 'GPTBot', URL_OF_PAGE);
  expect(read).toThrow(TypeError);
  expect(read).toThrow(message);
});

test.each(['x', {}, null])('the policy token %j is an error', (token) => {
  const policyTokens = [token as unknown as ReturnType<typeof createPolicyToken>];
  expect(() => readPreferences({}, 'GPTBot', URL_OF_PAGE, { policyTokens })).toThrow(/not a product token/);
});

test.each([
  [{ token: 'T' }, 'governs of the policy token "T" must be null or a list of tokens'],
  [{ token: 'T', governs: 'GPTBot', purposes: [] }, 'governs of the policy token "T"'],
  [
    { token: 'T', governs: null, purposes: 'ai-train' },
    'purposes of the policy token "T" must be a list of strings',
  ],
])('the policy token %j is an error that names what is missing', (token, message) => {
  const policyTokens = [token as unknown as ReturnType<typeof createPolicyToken>];
  const calls = [
    () => readPreferences({}, 'GPTBot', URL_OF_PAGE, { policyTokens }),
    () => setPreferences('', { search: 'allowed' }, { policyTokens }),
    () => compareDeclarations(parse(''), parse(''), { policyTokens }),
  ];
  for (const call of calls) expect(call).toThrow(message);
});

test('a reader refuses sources of a page as sources of a site, and the reverse', () => {
  const metas = [{ name: 'robots', content: 'noai' }];
  expect(() => new PreferenceReader({ metas } as SiteSources, 'GPTBot')).toThrow('unknown option "metas"');
  const reader = new PreferenceReader({}, 'GPTBot');
  const page = { tdmrep: '[{"location":"/","tdm-reservation":1}]' } as PageSources;
  expect(() => reader.read(URL_OF_PAGE, page)).toThrow('unknown option "tdmrep"');
});

test('inherited sources of a page count', () => {
  const sources: PreferenceSources = Object.create({ metas: [{ name: 'robots', content: 'noai' }] });
  expect(readPreferences(sources, 'GPTBot', URL_OF_PAGE).purposes['ai-train']?.value).toBe('disallowed');
});

test('inherited settings are checked', () => {
  const settings: PreferenceSettings = Object.create({ search: 'forbidden' });
  expect(() => setPreferences('', settings)).toThrow('must be allowed or disallowed, not "forbidden"');
});

test('a purpose with the name of a property of all objects is reported', () => {
  const policy = { kind: 'rules', robots: parse('User-agent: T\nDisallow: /') } as const;
  const policyTokens = [createPolicyToken('T', ['__proto__'])];
  const { purposes } = readPreferences({ policy }, 'GPTBot', URL_OF_PAGE, { policyTokens });
  expect(Object.entries(purposes).map(([purpose, { value }]) => `${purpose} ${value}`)).toEqual([
    'search unknown',
    'ai-train unknown',
    'ai-input unknown',
    '__proto__ disallowed',
  ]);
});

test('a report has at most 100 licences, and documents of the others apply', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `License: https://example.com/${index}`);
  const policy = { kind: 'rules', robots: parse(`User-agent: *\n${lines.join('\n')}`) } as const;
  const text =
    '<rsl><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>';
  const rsl = [{ url: 'https://example.com/9999', text }];
  const { licenses, purposes } = readPreferences({ policy, rsl }, 'GPTBot', URL_OF_PAGE);
  expect(licenses).toHaveLength(100);
  expect(purposes['ai-train']?.value).toBe('disallowed');
});
