import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RobotsTxt } from '../../../src/index.ts';
import { findRequestPathStart, findTarget } from '../../../src/matching/target.ts';
import { createPositionTable } from '../../../src/proofs/automata/path-automaton.ts';
import { getContent, readVectors, VECTOR_FILES } from '../../support/vectors.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("the runtime's URL class parses no paths, so verdicts and proofs are the same on all runtimes", async () => {
  const rows = VECTOR_FILES.filter((name) => name !== 'google-reference.jsonl').flatMap(readVectors);
  const parsed: string[] = [];
  class RecordingUrl extends URL {
    constructor(url: string) {
      parsed.push(url);
      super(url);
    }
  }
  vi.stubGlobal('URL', RecordingUrl);
  vi.resetModules();
  const { decide, parse } = await import('../../../src/index.ts');
  const { compareFiles } = await import('../../../src/proofs.ts');
  // Importing modules parses URLs too.
  parsed.length = 0;
  for (const row of rows) {
    const { url, robots_url, normalize = true } = row;
    const options = robots_url === undefined ? { normalize } : { normalize, url: robots_url };
    decide(getContent(row), row.agents ?? ['a'], url, options);
  }
  expect(parsed.length).toBeGreaterThan(20);
  expect(parsed.filter((url) => !/^[A-Za-z]+:\/\/[^/\\?#]*\/$/.test(url))).toEqual([]);
  const count = parsed.length;
  const [unmatchable, empty] = ['/a^', ''].map((path) => parse(`user-agent: *\ndisallow: ${path}`));
  // No path in request form contains a circumflex.
  expect(compareFiles(unmatchable as RobotsTxt, empty as RobotsTxt).equivalent).toBe(true);
  expect(parsed.length).toBe(count);
});

test('proofs assume the characters that the percent-encode sets leave in a request', () => {
  const places = createPositionTable();
  const inPlace = (bit: number): string =>
    String.fromCharCode(...Array.from(places.keys()).filter((code) => ((places[code] ?? 0) & bit) !== 0));
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const digits = '0123456789';
  const lowerCase = letters.toLowerCase();
  // The question mark ends the path.
  expect(inPlace(1)).toBe(`!$%&'()*+,-./${digits}:;=?@${letters}[]_${lowerCase}|~`);
  expect(inPlace(32)).toBe(`!$%&()*+,-./${digits}:;=?@${letters}[\\]^_\`${lowerCase}{|}~`);
});

test.each([
  [
    'two surrogates with a tab between them are not a pair',
    'https://e.com/\ud83d\t\ude00',
    '/%EF%BF%BD%EF%BF%BD',
  ],
  ['a pair of surrogates is one character', '/\ud83d\ude00', '/%F0%9F%98%80'],
  ['a lone surrogate is U+FFFD', '/?\ud800', '/?%EF%BF%BD'],
  ['dot segments after a segment that begins with a dot', 'http://e.com/a/.b/..', '/a/'],
  ['a circumflex in path and query', 'http://e.com/^?^', '/%5E?^'],
])('conversion to request form: %s', (_title, url, path) => {
  expect(findTarget(url, undefined, true)).toEqual({ path, normalized: true });
});

test('without normalization, the empty string is the path / on the origin of the file', () => {
  const scope = { origin: 'https://e.com' };
  expect(findTarget('', scope, false)).toEqual({ path: '/', normalized: false });
  expect(findTarget('', undefined, false)).toEqual({ path: '/', normalized: false });
  expect(findTarget('', { outOfScope: 'invalid-robots-txt-url' }, false)).toHaveProperty('outOfScope');
  expect(findTarget('', scope, true)).toEqual({ outOfScope: 'invalid-url' });
});

// Quadratic time would exceed the timeout of the test.
describe('conversion to request form takes linear time', () => {
  const LENGTH = 600_000;
  const fill = (text: string): string => text.repeat(LENGTH / text.length);
  test.each([
    ['dot segments', `/${fill('a/')}${fill('../')}x`],
    ['encoded dots', `/${fill('%2e')}x`],
    ['encoded double dots', `/${fill('%2e./')}x`],
    ['backslashes', `/${fill('\\')}x`],
    ['spaces inside the URL', `/${fill(' ')}x`],
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
    expect(findTarget(url, undefined, false)).toHaveProperty('path');
  });

  // The fast path has a length limit, so it is repeated.
  test.each([
    ['the host is many labels', `http://${'a.'.repeat(2000)}/^`],
    ['the host is one label', `http://${'a'.repeat(4000)}1`],
    ['the path is slashes', `/a${'/'.repeat(4000)}^`],
    ['the path is octets', `/${'%20'.repeat(1300)}^`],
    ['the path is one segment', `/${'a'.repeat(4000)}^`],
  ])('the fast path takes linear time if %s', (_title, url) => {
    for (let repetition = 0; repetition < 10_000; repetition++)
      if (findRequestPathStart(url, undefined) >= 0) throw new Error(`${url} takes the fast path`);
  });
});
