// Directives in robots meta tags and in X-Robots-Tag: their crawlers, their places, and both together.
import { type ByAgent, type Case, html, reasonIf, type Served } from './case.ts';

/** @param noindex - the directives that forbid indexing: `meta *: noindex`. */
const createCase = (name: string, served: Served, noindex: ByAgent): Case => ({
  ...{ url: `/directives/${name}`, served, noindex, reasons: reasonIf('noindex', noindex) },
});
const head = (name: string, tags: string, noindex: ByAgent): Case =>
  createCase(name, { body: html(tags) }, noindex);
const header = (name: string, lines: readonly string[], noindex: ByAgent, type = 'text/html'): Case =>
  createCase(
    name,
    {
      headers: [['Content-Type', type], ...lines.map((line) => ['X-Robots-Tag', line] as const)],
      body: type === 'text/html' ? html() : '<meta name="robots" content="none">%PDF',
    },
    noindex,
  );
const robots = (name: string, content: string, noindex: ByAgent): Case =>
  head(name, `<meta name="robots" content="${content}">`, noindex);

const META = '<meta name="robots" content="noindex">';
const PAST = 'unavailable_after: Tuesday, 21 Jul 2020 15:00:00 GMT';

export const DIRECTIVE_CASES: readonly Case[] = [
  robots('noindex', 'noindex', 'meta *: noindex'),
  robots('none', 'none', 'meta *: none'),
  robots('all', 'all', ''),
  robots('empty', '', ''),
  robots('noindex-then-index', 'noindex, index', 'meta *: noindex'),
  robots('no-agents-in-tags', 'googlebot: noindex', ''),
  robots('date-past', 'unavailable_after: 2020-01-31', 'meta *: unavailable_after: 2020-01-31'),
  robots('date-future', 'unavailable_after: 2199-12-31', ''),
  // Crawlers. A directive for Googlebot also applies to Googlebot-News.
  head('google-news', '<meta name="googlebot-news" content="noindex">', [
    ...(['', 'meta googlebot-news: noindex', '', ''] as const),
  ]),
  head('examplebot', '<meta name="ExampleBot" content="noindex">', [
    ...(['', '', '', 'meta examplebot: noindex'] as const),
  ]),
  head('otherbot', '<meta name="otherbot" content="noindex">', ''),
  head('own-and-general', '<meta name="googlebot" content="noindex"><meta name="robots" content="all">', [
    ...(['meta googlebot: noindex', 'meta googlebot: noindex', '', ''] as const),
  ]),
  head(
    'each-its-own',
    '<meta name="googlebot-news" content="noindex"><meta name="googlebot" content="none"><meta name="bingbot" content="nofollow">',
    ['meta googlebot: none', 'meta googlebot-news: noindex; meta googlebot: none', '', ''],
  ),
  // Places.
  createCase('in-body', { body: html('', `<div>${META}</div>`) }, 'meta *: noindex'),
  createCase('after-body', { body: html('', `</body></html>${META}`) }, 'meta *: noindex'),
  head('in-comment', `<!-- ${META} -->`, ''),
  head('in-noscript', `<noscript>${META}</noscript>`, ''),
  // Headers.
  header('header', ['nofollow, noindex'], 'header *: noindex'),
  header(
    'header-repeated',
    ['googlebot: noindex', 'bingbot: noindex'],
    [
      ...(['header googlebot: noindex', 'header googlebot: noindex'] as const),
      ...(['header bingbot: noindex', ''] as const),
    ],
  ),
  header(
    'header-agents-in-turn',
    ['googlebot: noindex, bingbot: nofollow, examplebot: none'],
    [
      ...(['header googlebot: noindex', 'header googlebot: noindex'] as const),
      ...(['', 'header examplebot: none'] as const),
    ],
  ),
  header('header-date-past', [`${PAST}, nofollow`], `header *: ${PAST}`),
  header('header-date-future', ['unavailable_after: Fri, 31 Dec 2199 23:59:59 GMT'], ''),
  // Other types than HTML have directives in headers only.
  header('pdf', ['noindex'], 'header *: noindex', 'application/pdf'),
  header('text', [], '', 'text/plain; charset=utf-8'),
  createCase(
    'header-and-tag',
    { headers: [['X-Robots-Tag', 'noindex']], body: html('<meta name="bingbot" content="none">') },
    [
      ...(['header *: noindex', 'header *: noindex'] as const),
      ...(['header *: noindex; meta bingbot: none', 'header *: noindex'] as const),
    ],
  ),
];
