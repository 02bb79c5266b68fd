/** Pages, their headers and sitemaps have no bound that the functions which read a part of them know. */
import { decodeLocation, getCodings, parseRetryAfter } from '@maycrawl/client/internal';
import { SitemapParser, XmlError } from '@maycrawl/core/internal';
import { expect, test } from 'vitest';
import { findFailures } from '../../../core/test/support/long-texts.ts';
import { listUseStatements } from '../../src/audit/page/use-statements.ts';
import { packDeclarations } from '../../src/audit/run/records/preferences.ts';
import { decodeHtml } from '../../src/html/charset.ts';
import { readHtml } from '../../src/html/html-reader.ts';
import { readPage } from '../../src/html/read-page.ts';
import { parseSrcset } from '../../src/html/srcset.ts';

const NAMES = ['link', 'x-robots-tag', 'refresh', 'content-usage', 'content-signal', 'tdm-reservation'];
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const createElements = (text: string): string => {
  const value = text.replaceAll('"', '');
  return `<base href="${value}"><link rel="canonical" href="${value}"><meta name="robots" content="${value}">
<script type="application/rsl+xml">${text}</script><a href="${value}" rel="${value}">${text}</a><img srcset="${value}"><title>${text}`;
};
const parseSitemap = (pieces: readonly string[]): void => {
  const parser = new SitemapParser(() => {});
  for (const piece of pieces) parser.write(piece);
  parser.end();
};

test.each<[string, (text: string) => unknown, ((error: unknown) => boolean)?]>([
  ['HTML', (text) => readHtml(text, 100_000)],
  ...['<p ', '<svg>', '<template>', '<!--', '<textarea>'].map(
    (start): [string, (text: string) => unknown] => [`${start}…`, (text) => readHtml(start + text, 100_000)],
  ),
  ['elements with long attributes', (text) => readHtml(createElements(text), 100_000)],
  ['an encoding', (text) => decodeHtml(encode(text), `text/html; charset=${text}`)],
  ['a srcset attribute', parseSrcset],
  [
    'a response',
    (text) => {
      const headers = ['content-type', 'location', ...NAMES].map((name) => [name, text] as const);
      return readPage({ url: 'https://a.example/', status: 200, headers }, encode(text));
    },
  ],
  [
    'the statements of a page',
    (text) => {
      const headers = NAMES.map((name) => [name, `/${text}`] as const);
      const sources = { headers, metas: [{ name: 'content-usage', content: text }], inlineRsl: [text] };
      return [listUseStatements(sources, { maxText: 100, maxItems: 100 }), packDeclarations(sources)];
    },
  ],
  ['Retry-After', (text) => parseRetryAfter(text, 0)],
  ['Location', decodeLocation],
  ['Content-Encoding', (text) => getCodings({ 'content-encoding': text })],
  ['a sitemap', (text) => parseSitemap([text]), (error) => error instanceof XmlError],
  [
    'a sitemap in pieces',
    (text) => parseSitemap(['<urlset><url><loc>', ...(text.match(/.{1,7}/gs) ?? [])]),
    (error) => error instanceof XmlError,
  ],
])('a long text is no error in %s', (_name, read, isDocumented) => {
  expect(findFailures(read, isDocumented)).toEqual([]);
});
