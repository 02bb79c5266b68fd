/** Names in sentences, of which the first are listed. */
import { ANY_OTHER_CRAWLER } from '@maycrawl/core/proofs';
import { expect, test } from 'vitest';
import { formatCrawlers } from '../../src/text/crawler-names.ts';
import { formatFirst } from '../../src/text/first-names.ts';

test.each([
  [['bingbot'], 'bingbot'],
  [[ANY_OTHER_CRAWLER], 'any other crawler'],
  [['bingbot', 'Googlebot'], 'Googlebot and bingbot'],
  [['bingbot', ANY_OTHER_CRAWLER, 'Applebot'], 'any other crawler, bingbot and Applebot'],
  [['a', 'b', 'Googlebot', ANY_OTHER_CRAWLER], 'Googlebot and 3 others'],
  [['a', 'b', 'c', ANY_OTHER_CRAWLER], '3 named crawlers and any other crawler'],
])('the crawlers %j in a sentence', (names, text) => {
  expect(formatCrawlers(names)).toBe(text);
});

test('the number of crawlers can be larger than the list', () => {
  expect(formatCrawlers(['a', 'b'], undefined, 1_201)).toBe('a and 1,200 others');
});

test('the first names, and the number of the others', () => {
  expect(formatFirst(['a', 'b'], 2)).toBe('a, b');
  expect(formatFirst(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  expect(formatFirst(['a', 'b'], 2, 2_002)).toBe('a, b and 2,000 more');
});
