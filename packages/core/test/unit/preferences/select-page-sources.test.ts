/** What a response says about its own use. */
import { describe, expect, test } from 'vitest';
import type { HtmlFacts, HtmlLink } from '../../../src/indexability.ts';
import { selectPageSources } from '../../../src/preferences.ts';

const url = 'https://example.com/a/b';
const link = (change: Partial<HtmlLink>): HtmlLink => ({
  ...{ rel: 'license', href: '/l.xml', type: 'application/rsl+xml', inHead: true },
  ...{ hreflang: null, lang: null, media: null },
  ...change,
});
const html = (facts: Partial<HtmlFacts>): HtmlFacts => ({
  ...{ title: null, base: null, robots: [], refreshes: [], links: [], references: [], isTruncated: false },
  ...facts,
});

test('most pages say nothing', () => {
  const headers = [
    ['content-type', 'text/html'],
    ['x-robots-tag', 'noindex'],
    ['link', '</style.css>; rel=preload'],
    ['x-text', 'noai'],
  ] as const;
  expect(selectPageSources({ url, headers }, null)).toBeNull();
  const metas = [{ name: 'robots', content: 'noindex, nofollow' }];
  expect(
    selectPageSources({ url, headers }, html({ metas, links: [link({ rel: 'next' })], rsl: [] })),
  ).toBeNull();
});

test('headers and meta elements about use are selected', () => {
  const headers = [
    ['Content-Usage', 'train-ai=n'],
    ['X-Robots-Tag', 'noindex, noai'],
    ['Link', '<l.xml>; rel=license'],
  ] as const;
  const metas = [
    { name: 'robots', content: 'noarchive' },
    { name: 'tdm-reservation', content: '1' },
  ];
  expect(selectPageSources({ url, headers }, html({ metas }))).toEqual({ headers, metas });
});

describe('link elements', () => {
  test.each([
    ['relative to the page', link({ href: 'l.xml' }), 'https://example.com/a/l.xml'],
    ['with other types of links', link({ rel: 'help LICENSE' }), 'https://example.com/l.xml'],
    [
      'with white space around the media type',
      link({ type: ' Application/RSL+XML ' }),
      'https://example.com/l.xml',
    ],
  ])('%s', (_, each, target) => {
    expect(selectPageSources({ url, headers: [] }, html({ links: [each, each] }))).toEqual({
      licenses: [target],
    });
  });

  test('relative to the base element', () => {
    const facts = html({ base: 'https://cdn.example/x/', links: [link({ href: 'l.xml' })] });
    expect(selectPageSources({ url, headers: [] }, facts)).toEqual({
      licenses: ['https://cdn.example/x/l.xml'],
    });
  });

  test.each([
    ['an ordinary licence', link({ type: null })],
    ['one in the body, which belongs to a part of the page', link({ inHead: false })],
    ['one without a valid URL', link({ href: 'https://' })],
  ])('%s is not selected', (_, each) => {
    expect(selectPageSources({ url, headers: [] }, html({ links: [each] }))).toBeNull();
  });
});

test('documents in the page are selected', () => {
  expect(selectPageSources({ url, headers: [] }, html({ rsl: ['<rsl/>'] }))).toEqual({
    inlineRsl: ['<rsl/>'],
  });
});
