import { readPreferences } from '@maycrawl/core/preferences';
import { describe, expect, test } from 'vitest';
import { packDeclarations, unpackDeclarations } from '../../src/audit/run/records/preferences.ts';
import { readPage } from '../../src/html/read-page.ts';

const URL = 'https://a.example/';
const read = (html: string) =>
  readPage(
    { url: URL, status: 200, headers: [['content-type', 'text/html']] },
    new TextEncoder().encode(html),
  );
const times = (count: number, create: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => create(index)).join('');

/** What the page says about training, as the command and the service read it, and as an audit stores it. */
const getTraining = (html: string) => {
  const sources = read(html).preferences ?? {};
  return [sources, unpackDeclarations(packDeclarations(sources).text)].map((each) => {
    const { purposes, problems } = readPreferences(each, 'GPTBot', URL);
    return [purposes['ai-train']?.value, problems.length > 0];
  });
};

describe('a page with too many statements', () => {
  const few = times(100, () => '<meta name=robots content="noai, noindex">');
  const many = times(1_500, (index) => `<meta name=content-usage content="train-ai=y, a${index}=y">`);
  const rsl = times(30, () => '<script type="application/rsl+xml"><rsl/></script>');

  test.each([
    ['repeated ones are not too many', few, 'disallowed', false],
    ['none of them allows a use', many, 'unknown', true],
    ['a refusal before them counts', few + many, 'disallowed', true],
    [
      'none allows a use where RSL documents are omitted',
      `${rsl}<meta name=content-usage content="train-ai=y">`,
      'unknown',
      true,
    ],
  ])('%s', (_title, html, value, isProblem) => {
    expect(getTraining(html)).toEqual([
      [value, isProblem],
      [value, isProblem],
    ]);
    const { isTruncated, robots } = read(html);
    expect([isTruncated, robots.length]).toEqual([isProblem, html.includes('noindex') ? 1 : 0]);
  });

  test('is stored in bounded size', () => {
    const page = read(
      times(
        2_700,
        (index) => `<meta name=robots content="${times(200, (each) => `x${index}-${each},`)}noai">`,
      ),
    );
    expect(page.robots.reduce((sum, { directives }) => sum + directives.length, 0)).toBeLessThanOrEqual(
      10_000,
    );
    expect(page.preferences?.metas).toHaveLength(1_000);
    expect(packDeclarations(page.preferences ?? {}).text.length).toBeLessThan(70_000);
  });
});

test('of repeated reservations the last counts', () => {
  const create = (...values: readonly number[]): string =>
    values.map((value) => `<meta name=tdm-reservation content=${value}>`).join('');
  expect(getTraining(create(1, 0, 1))[0]).toEqual(['disallowed', false]);
  expect(getTraining(create(0, 1, 0))[0]).toEqual(['allowed', false]);
});
