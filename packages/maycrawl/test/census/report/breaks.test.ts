import { expect, test } from 'vitest';
import { findBreaks } from '../../../src/census/report/breaks.ts';

const crawl = (
  collection: string | null,
  maycrawl: string = '1.0.0',
  profile: string = 'google',
): Parameters<typeof findBreaks>[0][number] => ({ collection, maycrawl, profile });

test('changes of Common Crawl are breaks between the crawls around them, also if crawls between are missing', () => {
  const crawls = ['2021-25', '2021-31', '2023-40', '2023-50', '2024-10'];
  const breaks = findBreaks(crawls.map((name) => crawl(`CC-MAIN-${name}`)));
  expect(breaks.map(({ before, text }) => [before, /August 2021|five redirects/.exec(text)?.[0]])).toEqual([
    [1, 'August 2021'],
    [3, 'five redirects'],
  ]);
  expect(findBreaks([crawl('CC-MAIN-2020-10'), crawl('CC-MAIN-2026-10')])).toHaveLength(2);
});

test('another release, profile or source of the captures is a break; equal crawls have none', () => {
  expect(findBreaks([crawl(null), crawl(null), crawl(null)])).toEqual([]);
  expect(findBreaks([crawl(null), crawl(null, '1.1.0', 'rfc9309')])).toEqual([
    { before: 1, text: 'The crawls were judged by different releases of maycrawl: 1.0.0 and 1.1.0.' },
    { before: 1, text: 'The crawls were judged under different profiles: google and rfc9309.' },
  ]);
  const [found] = findBreaks([crawl('CC-MAIN-2026-10'), crawl(null)]);
  expect(found?.text).toContain('they do not visit the same sites in the same way');
});
