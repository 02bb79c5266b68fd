import { expect, test } from 'vitest';
import { decide, getRobotsTxtUrl, parse } from '../../src/index.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';
/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

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
