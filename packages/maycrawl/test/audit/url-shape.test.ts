import { describe, expect, test } from 'vitest';
import { findMistake, getShape, MAX_URL } from '../../src/audit/crawl/url-shape.ts';

const SITE = 'https://a.example';

describe('a URL is considered a mistake', () => {
  test.each([
    ['with a folder five times in its path', `${SITE}/a/a/b/a/a/a`, '"a" more than 4 times in the path'],
    ['with 40 folders', `${SITE}/${[...Array(40).keys()].join('/')}/`, 'a path of more than 40 segments'],
    ['that is longer than all limits', `${SITE}/${'a'.repeat(MAX_URL)}`, `longer than ${MAX_URL} characters`],
  ])('%s', (_name, url, mistake) => {
    expect(findMistake(url)).toBe(mistake);
  });

  test.each([
    ['with a folder four times in its path', `${SITE}/a/a/b/a/a`],
    ['with empty folders', `${SITE}////////a`],
    ['with a folder five times in its query', `${SITE}/a?b=/a/a/a/a/a`],
    ['with 39 segments', `${SITE}/${[...Array(39).keys()].join('/')}`],
    ['as long as the limit', `${SITE}/`.padEnd(MAX_URL, 'a')],
  ])('but not one %s', (_name, url) => {
    expect(findMistake(url)).toBe(null);
  });
});

test.each([
  ['/a?page=2&sort=up', '/a?page&sort'],
  ['/a?sort=up&page=3', '/a?page&sort'],
  ['/a?filter12=x', '/a?filter#'],
  ['/2026/11/page-7', '/#/#/page-#'],
  ['/a;session=1;mode=2/b', '/a;session=;mode=/b'],
  ['/s/0123456789abcdef0/x', '/s/#/x'],
  ['/articles/1234567', null],
  ['/2026/13/a', null],
  ['/verylongwordwithoutdigits', null],
])('the shape of %s is %s', (path, shape) => {
  expect(getShape(SITE + path)).toBe(shape === null ? null : SITE + shape);
});
