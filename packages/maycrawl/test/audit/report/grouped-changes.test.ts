import { describe, expect, test } from 'vitest';
import type { ChangeGroup } from '../../../src/audit/report/compare/change-groups.ts';
import { groupChanges } from '../../../src/audit/report/compare/grouped-changes.ts';
import { type Answer, html, type Site, withRuns } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';

const folder = createTestFolder('groups');
const ORIGIN = 'https://site.example';
const BLOG = Array.from({ length: 3 }, (_, index) => `/blog/${index}`);
const PATHS = [...BLOG, '/blog/2025/a', '/about', '/shop/1', '/shop/2'];
const at = (path: string): string => `${ORIGIN}${path}`;
const header = { 'x-robots-tag': 'noindex' };
const page = (path: string, head = ''): Answer => ({ body: html(`Page ${path}`, [], head) });
const forEach = (paths: readonly string[], answer: (path: string) => Answer) =>
  Object.fromEntries(paths.map((path) => [at(path), answer(path)]));

/** A site whose home page links to all of its pages. */
const createSite = (
  answers: Readonly<Record<string, Answer>>,
  { paths = PATHS, ...more }: Partial<Site> & { readonly paths?: readonly string[] } = {},
): Site => ({
  start: at('/'),
  agents: ['Googlebot', 'GPTBot'],
  answers: { [at('/')]: { body: html('Start', paths) }, ...forEach(PATHS, page), ...answers },
  ...more,
});

const compare = (before: Site, after: Site): ReturnType<typeof groupChanges> =>
  withRuns(folder, [before, after], groupChanges);

const formatGroup = ({ crawlers, folders }: ChangeGroup): string =>
  `${crawlers.map(({ agents, urls }) => `${agents.join('+')} ${urls}`).join(', ')}; ${folders.map((each) => `${each.folder} ${each.urls}`).join(', ')}`;

/** The lost URLs of a site, from a state in which all can be indexed. */
const LOST: readonly (readonly [name: string, after: Site, expected: readonly string[]])[] = [
  [
    'noindex from a header',
    createSite(forEach([...BLOG, '/blog/2025/a'], (path) => ({ ...page(path), headers: header }))),
    ['noindex from a header: Googlebot+GPTBot 4; /blog/ 4'],
  ],
  [
    'noindex for one crawler, and for all',
    createSite({
      [at('/about')]: page('/about', '<meta name="googlebot" content="noindex">'),
      [at('/shop/1')]: page('/shop/1', '<meta name="robots" content="noindex">'),
    }),
    ['noindex from a meta element: Googlebot 2, GPTBot 1; / 1, /shop/ 1'],
  ],
  [
    'a line of robots.txt',
    createSite({}, { robots: 'User-agent: GPTBot\nDisallow: /shop/\nDisallow: /about\n' }),
    [
      'robots.txt, line 2 (Disallow: /shop/): GPTBot 2; /shop/ 2',
      'robots.txt, line 3 (Disallow: /about): GPTBot 1; / 1',
    ],
  ],
  [
    'redirects within the site and to another one',
    createSite({
      [at('/about')]: { status: 301, headers: { location: '/' } },
      ...forEach(['/shop/1', '/shop/2'], () => ({
        status: 302,
        headers: { location: 'https://new.example/' },
      })),
    }),
    [
      'status 302, a redirect to https://new.example (https://new.example/): Googlebot+GPTBot 2; /shop/ 2',
      'status 301, a redirect (https://site.example/): Googlebot+GPTBot 1; / 1',
    ],
  ],
  [
    'canonicals',
    createSite({
      [at('/shop/1')]: page('/shop/1', '<link rel="canonical" href="/shop/2">'),
      [at('/about')]: page('/about', '<link rel="canonical" href="/blog/1">'),
    }),
    ['a canonical from a link element: Googlebot+GPTBot 2; / 1, /shop/ 1'],
  ],
];

describe('URLs that are no longer indexable are grouped by cause:', () => {
  test.each(LOST)('%s', async (_name, after, expected) => {
    const { lost, won, unlinked, indexableBefore } = await compare(createSite({}), after);
    expect(
      lost.map(
        ({ cause, group }) =>
          `${cause.text}${cause.target === null ? '' : ` (${cause.target})`}: ${formatGroup(group)}`,
      ),
    ).toEqual(expected);
    expect([won, unlinked]).toEqual([[], null]);
    expect(indexableBefore).toEqual({ Googlebot: 8, GPTBot: 8 });
    // The way back has the same cause.
    const back = await compare(after, createSite({}));
    expect(back.won.map(({ cause, group }) => [cause.text, group])).toEqual(
      lost.map(({ cause, group }) => [cause.text, group]),
    );
    expect(back.lost).toEqual([]);
  });
});

test('URLs that are hidden because their folder is blocked are lost, and those without links are not', async () => {
  const index = (paths: readonly string[]): Answer => ({ body: html('Shop', paths) });
  const shop = { [at('/shop/')]: index(['/shop/1', '/shop/2']) };
  const before = createSite(shop, { paths: ['/shop/', '/about', ...BLOG] });
  const after = createSite(shop, {
    paths: ['/shop/', '/about', BLOG[0] as string],
    robots: 'User-agent: *\nDisallow: /shop/\n',
  });
  const { lost, unlinked } = await compare(before, after);
  expect(lost.map(({ cause, group }) => `${cause.text}: ${formatGroup(group)}`)).toEqual([
    'robots.txt, line 2 (Disallow: /shop/): Googlebot+GPTBot 3; /shop/ 3',
  ]);
  expect(unlinked && formatGroup(unlinked)).toBe('Googlebot+GPTBot 2; /blog/ 2');
  // When the block ends, they are indexable again. URLs that only appear are no change.
  const back = await compare(after, before);
  expect(back.won.map(({ cause, group }) => `${cause.text}: ${formatGroup(group)}`)).toEqual([
    'robots.txt, line 2 (Disallow: /shop/): Googlebot+GPTBot 3; /shop/ 3',
  ]);
});

test('an incomplete run says nothing about URLs that it did not see, and nothing about findings', async () => {
  const whole = createSite({});
  const answers = {
    [at('/about')]: { status: 404 },
    [at('/loop')]: { status: 301, headers: { location: '/loop' } },
  };
  const part = createSite(answers, { paths: ['/about', '/loop'], end: 'no-responses' });
  const { lost, unlinked, findings } = await compare(whole, part);
  expect(lost.map(({ cause }) => cause.text)).toEqual(['status 404']);
  expect([unlinked, findings]).toEqual([null, []]);
});

test('findings that begin and end are reported, without those that follow from a lost URL', async () => {
  const loop = {
    [at('/a')]: { status: 301, headers: { location: '/b' } },
    [at('/b')]: { status: 301, headers: { location: '/a' } },
  };
  const paths = [...PATHS, '/a'];
  const before = createSite({ [at('/a')]: page('/a') }, { paths: [...paths, '/gone'] });
  const after = createSite(
    { ...loop, [at('/about')]: { status: 404 } },
    { paths: [...PATHS, '/a', '/new-loop'], agents: ['Googlebot', 'GPTBot'] },
  );
  const { findings } = await compare(before, {
    ...after,
    answers: { ...after.answers, [at('/new-loop')]: { status: 301, headers: { location: '/new-loop' } } },
  });
  // "/a" was indexable, so its loop follows from a lost URL; "/about" is lost by its status.
  expect(
    findings.map(
      ({ code, kind, group, totals }) => `${kind} ${code}: ${formatGroup(group)} of ${totals['Googlebot']}`,
    ),
  ).toEqual(['new redirect-loop: Googlebot+GPTBot 2; / 2 of 3']);
  const back = await compare(after, before);
  expect(back.findings.map(({ code, kind }) => `${kind} ${code}`)).toEqual([
    'new broken-link',
    'fixed redirect-loop',
  ]);
});

test('changed titles are those of pages that are indexable in both runs, with the most frequent new one', async () => {
  const rename = (paths: readonly string[], title: string, more: Partial<Answer> = {}) =>
    forEach(paths, () => ({ body: html(title), ...more }));
  const after = createSite({
    ...rename(BLOG, 'Shop'),
    ...rename(['/about'], ''),
    ...rename(['/shop/1'], 'Hidden', { headers: header }),
    [at('/shop/2')]: { body: html('Other', [], '<meta name="googlebot" content="noindex">') },
  });
  const { titles } = await compare(createSite({}), after);
  expect(titles && formatGroup(titles.group)).toBe('GPTBot 5, Googlebot 4; /blog/ 3, / 1, /shop/ 1');
  expect(titles).toMatchObject({ start: null, common: { title: 'Shop', urls: 3 } });
  expect(titles?.examples[0]).toEqual({
    ...{ kind: 'title', url: at('/about'), before: 'Page /about', after: expect.toBeOneOf([null, '']) },
  });
  const home = createSite({ [at('/')]: { body: html('Test', PATHS) } });
  expect((await compare(createSite({}), home)).titles).toMatchObject({
    start: { url: at('/'), before: 'Start', after: 'Test' },
  });
  expect((await compare(createSite({}), createSite({}))).titles).toBeNull();
});
