import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Ruleset } from '../../../src/index.ts';
import { FAST_ENGINE } from '../../../src/matching/fast-engine.ts';
import { findTarget } from '../../../src/matching/target.ts';
import { createPositionTable } from '../../../src/proofs/automata/path-automaton.ts';
import { contentOf, readVectors, VECTOR_FILES } from '../../support/vectors.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("the runtime's URL class reads no path, so verdicts and proofs are the same on every runtime", async () => {
  const rows = VECTOR_FILES.filter((name) => name !== 'google-reference.jsonl').flatMap(readVectors);
  const seen: string[] = [];
  class RecordingUrl extends URL {
    constructor(url: string) {
      seen.push(url);
      super(url);
    }
  }
  vi.stubGlobal('URL', RecordingUrl);
  vi.resetModules();
  const { decide, parse } = await import('../../../src/index.ts');
  const { compareRulesets } = await import('../../../src/proofs.ts');
  // Loading modules parses URLs too.
  seen.length = 0;
  for (const row of rows) {
    const { url, robots_url, normalize = true } = row;
    const options = robots_url === undefined ? { normalize } : { normalize, url: robots_url };
    decide(contentOf(row), row.agents ?? ['a'], url, options);
  }
  expect(seen.length).toBeGreaterThan(20);
  expect(seen.filter((url) => !/^[A-Za-z]+:\/\/[^/\\?#]*\/$/.test(url))).toEqual([]);
  const decided = seen.length;
  const [never, none] = ['/a^', ''].map((path) => parse(`user-agent: *\ndisallow: ${path}`).ruleset('a'));
  // No request has that character in its path.
  expect(compareRulesets(never as Ruleset, none as Ruleset)).toEqual({ equivalent: true, changes: [] });
  expect(seen.length).toBe(decided);
});

test('the characters that a proof expects in a request are those of the percent-encode sets', () => {
  const places = createPositionTable();
  const inPlace = (bit: number): string =>
    String.fromCharCode(...Array.from(places.keys()).filter((code) => ((places[code] ?? 0) & bit) !== 0));
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const digits = '0123456789';
  const small = letters.toLowerCase();
  // The question mark ends the path, and stands between the two.
  expect(inPlace(1)).toBe(`!$%&'()*+,-./${digits}:;=?@${letters}[]_${small}|~`);
  expect(inPlace(32)).toBe(`!$%&()*+,-./${digits}:;=?@${letters}[\\]^_\`${small}{|}~`);
});

test.each([
  ['two surrogates that a tab separates are no pair', 'https://e.com/\ud83d\t\ude00', '/%EF%BF%BD%EF%BF%BD'],
  ['a pair of surrogates is one character', '/\ud83d\ude00', '/%F0%9F%98%80'],
  ['a lone surrogate is U+FFFD', '/?\ud800', '/?%EF%BF%BD'],
  ['dot segments behind a segment that begins with a dot', 'http://e.com/a/.b/..', '/a/'],
  ['a circumflex in path and query', 'http://e.com/^?^', '/%5E?^'],
])('request form: %s', (_title, url, path) => {
  expect(findTarget(url, undefined, true)).toEqual({ path, normalized: true });
});

test('an empty string that is taken as it is is a path on the own origin of the file', () => {
  const scope = { origin: 'https://e.com' };
  expect(findTarget('', scope, false)).toEqual({ path: '/', normalized: false });
  expect(findTarget('', undefined, false)).toEqual({ path: '/', normalized: false });
  expect(findTarget('', { outOfScope: 'not-a-robots-txt-url' }, false)).toHaveProperty('outOfScope');
  expect(findTarget('', scope, true)).toEqual({ outOfScope: 'invalid-url' });
});

// Steps that grow with the square of such a length take longer than a test may.
describe('the time to bring a URL to request form grows no faster than the URL', () => {
  const LENGTH = 600_000;
  const fill = (text: string): string => text.repeat(LENGTH / text.length);
  test.each([
    ['dot segments', `/${fill('a/')}${fill('../')}x`],
    ['encoded dots', `/${fill('%2e')}x`],
    ['encoded double dots', `/${fill('%2e./')}x`],
    ['backslashes', `/${fill('\\')}x`],
    ['spaces that are not at an end', `/${fill(' ')}x`],
    ['tabs', `/${fill('\t')}x`],
    ['percent signs', `/${fill('%')}x`],
    ['octets in lower case', `/${fill('%ff')}x`],
    ['characters beyond ASCII', `/${fill('é')}x`],
    ['lone surrogates', `/${fill('\ud800')}x`],
    ['quotes in a query', `/${fill("?'")}x`],
    ['hash signs', `/${fill('#')}x`],
    ['slashes after the scheme', `http:${fill('/\\')}example.com`],
    ['white space before the scheme', `${fill(' \t')}http://example.com`],
    ['a scheme that does not end', fill('a')],
  ])('%s', (_title, text) => {
    const url = text.startsWith('/') ? `http://example.com${text}` : text;
    const target = findTarget(url, undefined, true);
    expect('path' in target).toBe(url.includes(':'));
    // The text that is taken as it is.
    expect(findTarget(url, undefined, false)).toHaveProperty('path');
  });

  // Longer URLs do not take the fast path, so it is taken often.
  test.each([
    ['the host is many labels', `http://${'a.'.repeat(2000)}/^`],
    ['the host is one label', `http://${'a'.repeat(4000)}1`],
    ['the path is slashes', `/a${'/'.repeat(4000)}^`],
    ['the path is octets', `/${'%20'.repeat(1300)}^`],
    ['the path is one segment', `/${'a'.repeat(4000)}^`],
  ])('nor does that of the fast path if %s', (_title, url) => {
    for (let repetition = 0; repetition < 10_000; repetition++)
      if (FAST_ENGINE.pathStart(url, undefined) >= 0) throw new Error(`${url} takes the fast path`);
  });
});
