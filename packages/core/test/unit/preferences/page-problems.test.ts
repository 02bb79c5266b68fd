/** Headers and meta elements that declare nothing. */
import { describe, expect, test } from 'vitest';
import { findPageProblems } from '../../../src/preferences.ts';

const getReasons = (name: string, value: string): string[] =>
  findPageProblems({ headers: [[name, value]] }).map(({ reason }) => reason);

describe('a header that declares nothing has a problem', () => {
  test.each([
    ['Content-Usage', 'Train-AI=n', '"T" is upper case, and labels are lower case'],
    ['Content-Usage', 'train-ai=n,', 'a comma is at its end'],
    ['Content-Usage', '/blog/ train-ai=n', 'a path belongs to robots.txt'],
    ['Content-Usage', 'train-ai=no', 'the value of "train-ai" is not y or n'],
    ['Content-Usage', 'ai-train=n', '"ai-train" is not a label of its format'],
    ['content-usage', '', 'it is empty'],
    ['Content-Signal', 'ai-train', 'no part of it has the form "label=yes" or "label=no"'],
    ['Content-Signal', 'ai-train=n', 'the value of "ai-train" is not yes or no'],
    ['Content-Signals', 'train-ai=no', '"train-ai" is not a label of its format'],
    ['TDM-Reservation', 'yes', 'its value is neither 0 nor 1'],
  ])('%s: %s', (name, value, reason) => {
    expect(getReasons(name, value)).toEqual([reason]);
  });
});

describe('a header that is right has none', () => {
  test.each([
    ['Content-Usage', 'train-ai=n, search=y'],
    ['Content-Usage', 'ai=n'],
    ['Content-Usage', 'train-ai=n, new-label=y'],
    ['Content-Signal', 'search=yes, ai-train=no, use=reference'],
    ['tdm-reservation', '0'],
    ['tdm-policy', 'no URL'],
    ['X-Robots-Tag', 'noai, unknown'],
    ['Content-Security-Policy', "default-src 'none'"],
  ])('%s: %s', (name, value) => {
    expect(getReasons(name, value)).toEqual([]);
  });
});

test('a header with a path of 200,000 characters has a problem', () => {
  expect(getReasons('Content-Usage', `/${'a'.repeat(200_000)} train-ai=n`)).toEqual([
    'a path belongs to robots.txt',
  ]);
});

test('the lines of a header are one value, and each meta element is one of its own', () => {
  const headers = [
    ['Content-Usage', 'train-ai=n'],
    ['Content-Usage', 'X=y'],
  ] as const;
  expect(findPageProblems({ headers })).toMatchObject([{ source: 'header', text: 'train-ai=n, X=y' }]);
  const metas = headers.map(([name, content]) => ({ name, content }));
  expect(findPageProblems({ metas })).toMatchObject([{ source: 'meta', name: 'Content-Usage', text: 'X=y' }]);
});
