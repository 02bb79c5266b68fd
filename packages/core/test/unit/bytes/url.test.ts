import { describe, expect, test } from 'vitest';
import { getPathStart, hasScheme, parseUrl, removeBrackets, removeFragment } from '../../../src/bytes/url.ts';
import { findOrigin, getOrigin } from '../../../src/matching/target.ts';

describe('parseUrl', () => {
  test('parses absolute URLs, and relative ones with a base', () => {
    expect(parseUrl('HTTP://Host:80/a?b#c')?.href).toBe('http://host/a?b#c');
    expect(parseUrl('../d', 'http://host/a/b/c')?.href).toBe('http://host/a/d');
  });

  test('returns undefined for an invalid URL', () => {
    for (const text of ['', '/a', 'http://', 'http://[', 'http://a:99999/'])
      expect(parseUrl(text)).toBe(undefined);
    expect(parseUrl('/a', 'not a base')).toBe(undefined);
  });

  // Node 20's URL.canParse is wrong for such strings once it is optimized.
  test('parses hosts with characters outside ASCII, however often it is called', () => {
    const results = new Set<string | undefined>();
    for (let call = 0; call < 50_000; call++) results.add(parseUrl('https://bücher.example/ä')?.host);
    expect([...results]).toEqual(['xn--bcher-kva.example']);
  });
});

test('only URLs have a scheme, not hosts, paths or hosts with a port', () => {
  for (const text of ['http://a', 'FTP://a', 'postgres+x://']) expect(hasScheme(text)).toBe(true);
  for (const text of ['a.example', '/a', 'a:80', '//a', '1://a', '']) expect(hasScheme(text)).toBe(false);
});

describe('origins', () => {
  test.each([
    ['http://Host/a', 'http://host'],
    ['https://user@host:8443?b', 'https://host:8443'],
    ['ftp://host:21', 'ftp://host'],
    ['http:\\\\host\\a', 'http://host'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('the origin of %s is %s', (url, origin) => {
    expect(findOrigin(url)).toBe(origin);
    expect(getOrigin(url)).toBe(origin);
    expect(new URL(url).origin).toBe(origin);
  });

  test.each(['', '/a', 'host', 'mailto:a@host', 'http://', 'http://[/'])('%j has no origin', (url) => {
    expect(findOrigin(url)).toBe(undefined);
    expect(() => getOrigin(url)).toThrow(RangeError);
  });

  test('a value that is not a string is an error', () => {
    expect(() => getOrigin(undefined as unknown as string)).toThrow(TypeError);
  });
});

describe('parts of serialized URLs', () => {
  test('the path begins after the authority', () => {
    for (const [href, path] of [
      ['http://host/', '/'],
      ['ftp://user:secret@[::1]:2121/a//b?c=//d', '/a//b?c=//d'],
    ] as const)
      expect(href.slice(getPathStart(href))).toBe(path);
  });

  test('a fragment is removed with its number sign, also an empty one', () => {
    expect(['a#b#c', 'a#', 'a'].map(removeFragment)).toEqual(['a', 'a', 'a']);
  });

  test('only IPv6 addresses have brackets', () => {
    expect(['[::1]', 'host', '127.0.0.1'].map(removeBrackets)).toEqual(['::1', 'host', '127.0.0.1']);
  });
});
