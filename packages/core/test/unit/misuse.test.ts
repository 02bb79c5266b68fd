import { expect, test } from 'vitest';
import { decide, decideWithoutFile, getRobotsTxtUrl, parse } from '../../src/index.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';
/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

test.each([undefined, null, 'x', 'Unreachable', 'no-group', '__proto__', {}])(
  'an invalid reason never reads as "allowed": %o',
  (reason) => {
    expect(() => decideWithoutFile(any(reason), 'TestBot', '/private')).toThrow(RangeError);
  },
);

test('the reasons to have no file', () => {
  expect(decideWithoutFile('absent', 'TestBot', '/').kind).toBe('allowed');
  expect(decideWithoutFile('outage-expired', 'TestBot', '/').kind).toBe('allowed');
  expect(decideWithoutFile('unreachable', 'TestBot', '/').kind).toBe('disallowed');
});

test.each(['google-2013', 5, null, true])('options that are no object are refused: %o', (options) => {
  expect(() => parse(FILE, any(options))).toThrow(TypeError);
  expect(() => decide(FILE, 'TestBot', '/private', any(options))).toThrow(TypeError);
});

test.each(['5', 1.5, -1, Number.NaN, Number.NEGATIVE_INFINITY, null])(
  'a maxBytes that is no number of bytes is refused: %o',
  (maxBytes) => {
    expect(() => parse(FILE, { maxBytes: any(maxBytes) })).toThrow(RangeError);
    expect(() => decide(FILE, 'TestBot', '/private', { maxBytes: any(maxBytes) })).toThrow(RangeError);
  },
);

test.each([5, null, {}, new URL('http://a.example/robots.txt')])(
  'a URL that is no string is refused: %o',
  (url) => {
    expect(() => parse(FILE, { url: any(url) })).toThrow(TypeError);
    expect(() => getRobotsTxtUrl(any(url))).toThrow(/a URL is given as a string/);
  },
);
