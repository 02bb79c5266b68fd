import { expect, test } from 'vitest';
import { parse } from '../../../src/model/robots-txt.ts';
import { listCrawlers } from '../../../src/proofs/crawler-classes.ts';

const NAMED = 'User-agent: Googlebot-Image\nDisallow: /a\n';
const FALLBACK = 'User-agent: Googlebot\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n';

/** Lists the crawlers beside those of the catalogue. */
function listFurther(...texts: readonly string[]): string[] {
  const listed = new Set(listCrawlers([]).map(({ name }) => name));
  return listCrawlers(texts.map((text) => parse(text)))
    .map(({ name }) => name)
    .filter((name) => !listed.has(name));
}

test('the bare token of a crawler is listed if one of the files has other groups for it than for the crawler', () => {
  expect(listFurther(NAMED)).toEqual([]);
  // In the second file, the crawler obeys the group of its fallback, and the bare token the group for all.
  for (const files of [
    [NAMED, FALLBACK],
    [FALLBACK, NAMED],
  ])
    expect(listFurther(...files)).toEqual(['token:Googlebot-Image']);
});

test('names that the catalogue does not have are listed once, in the order of the files', () => {
  const [first, second] = ['User-agent: b\nUser-agent: a\nDisallow: /\n', 'User-agent: A\nUser-agent: c\n'];
  expect(listFurther(first, second)).toEqual(['b', 'a', 'c']);
});
