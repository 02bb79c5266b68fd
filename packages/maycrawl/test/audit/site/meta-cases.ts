/**
 * Robots meta tags: agents, places, spellings, and the combined result.
 *
 * @module
 */
import { type ByAgent, type Case, html, reasonIf } from './case.ts';

/** @param noindex - the directives that forbid indexing, without the prefix `meta`. */
function createCase(name: string, served: string, noindex: ByAgent): Case {
  const from = (text: string): string =>
    text.replace(/[^;]+/g, (each) => `meta ${each.trim()}`).replaceAll(';', '; ');
  const expected: ByAgent =
    typeof noindex === 'string'
      ? from(noindex)
      : [from(noindex[0]), from(noindex[1]), from(noindex[2]), from(noindex[3])];
  return {
    url: `/meta/${name}`,
    served: { body: served },
    noindex: expected,
    reasons: reasonIf('noindex', noindex),
  };
}

const head = (name: string, tags: string, noindex: ByAgent): Case => createCase(name, html(tags), noindex);
const body = (name: string, content: string, noindex: ByAgent): Case =>
  createCase(name, html('', content), noindex);
const robots = (name: string, content: string, noindex: ByAgent): Case =>
  head(name, `<meta name="robots" content="${content}">`, noindex);

const GOOGLE: ByAgent = ['googlebot: noindex', 'googlebot: noindex', '', ''];

export const META_CASES: readonly Case[] = [
  // Values.
  robots('noindex', 'noindex', '*: noindex'),
  robots('none', 'none', '*: none'),
  robots('all', 'all', ''),
  robots('index-follow', 'index, follow', ''),
  robots('nofollow', 'nofollow', ''),
  robots('case', 'NoIndex', '*: NoIndex'),
  robots('list', 'nofollow,noindex', '*: noindex'),
  robots('list-with-space', ' nofollow ,  noindex , ', '*: noindex'),
  robots('both-words', 'noindex, none', '*: noindex; *: none'),
  robots('all-and-noindex', 'all, noindex', '*: noindex'),
  robots('index-and-noindex', 'index, noindex', '*: noindex'),
  robots('noindex-then-index', 'noindex, index', '*: noindex'),
  robots('embedded', 'noindex, indexifembedded', '*: noindex'),
  robots('spaces-do-not-separate', 'noindex nofollow', ''),
  robots('semicolons-do-not-separate', 'noindex; nofollow', ''),
  robots('unknown', 'noarchive, noydir, no-index, noindexx, "noindex', ''),
  robots('unknown-and-noindex', 'noarchive, noindex, noodp', '*: noindex'),
  robots('empty', '', ''),
  robots('previews', 'nosnippet, max-snippet:0, max-image-preview:none, max-video-preview:0', ''),
  robots('no-agents-in-tags', 'googlebot: noindex', ''),
  robots('reference', 'no&#105;ndex', '*: noindex'),
  robots('line-end', 'nofollow,\n\tnoindex\n', '*: noindex'),
  // Dates.
  robots('date-past', 'unavailable_after: 2020-01-31', '*: unavailable_after: 2020-01-31'),
  robots('date-future', 'unavailable_after: 2199-12-31', ''),
  robots(
    'date-rfc-850',
    'unavailable_after: Saturday, 31-Oct-2020 23:59:59 GMT',
    '*: unavailable_after: Saturday, 31-Oct-2020 23:59:59 GMT',
  ),
  robots(
    'date-rfc-822',
    'unavailable_after: 25 Jun 10 15:00:00 PST, nofollow',
    '*: unavailable_after: 25 Jun 10 15:00:00 PST',
  ),
  robots(
    'date-iso',
    'UNAVAILABLE_AFTER:2010-06-25T15:00:00-08:00',
    '*: UNAVAILABLE_AFTER:2010-06-25T15:00:00-08:00',
  ),
  robots('date-none', 'unavailable_after: tomorrow', ''),
  robots('date-without', 'unavailable_after', ''),
  robots('date-future-noindex', 'unavailable_after: Fri, 31 Dec 2199 10:00:00 GMT, noindex', '*: noindex'),
  // Agents.
  head('googlebot', '<meta name="googlebot" content="noindex">', GOOGLE),
  head('google-news', '<meta name="googlebot-news" content="noindex">', [
    '',
    'googlebot-news: noindex',
    '',
    '',
  ]),
  head('bingbot', '<meta name="bingbot" content="noindex">', ['', '', 'bingbot: noindex', '']),
  head('examplebot', '<meta name="ExampleBot" content="noindex">', ['', '', '', 'examplebot: noindex']),
  head('otherbot', '<meta name="otherbot" content="noindex">', ''),
  head('name-case', '<META NAME="GOOGLEBOT" CONTENT="noindex">', GOOGLE),
  head('robots-case', '<META NAME=ROBOTS CONTENT=NONE>', '*: NONE'),
  head(
    'not-a-prefix',
    '<meta name="googlebot-image" content="noindex"><meta name="google" content="noindex">',
    '',
  ),
  head('two-names-in-one', '<meta name="googlebot,bingbot" content="noindex">', ''),
  head('property', '<meta property="robots" content="noindex">', ''),
  head('http-equiv', '<meta http-equiv="X-Robots-Tag" content="noindex">', ''),
  head('without-content', '<meta name="robots" value="noindex">', ''),
  head(
    'first-attribute',
    '<meta name="robots" name="description" content="noindex" content="all">',
    '*: noindex',
  ),
  // Combined.
  head(
    'general-and-own',
    '<meta name="robots" content="noindex"><meta name="googlebot" content="all">',
    '*: noindex',
  ),
  head(
    'own-and-general',
    '<meta name="googlebot" content="noindex"><meta name="robots" content="all">',
    GOOGLE,
  ),
  head(
    'each-its-own',
    '<meta name="googlebot-news" content="noindex"><meta name="googlebot" content="none"><meta name="bingbot" content="nofollow">',
    ['googlebot: none', 'googlebot-news: noindex; googlebot: none', '', ''],
  ),
  head(
    'twice',
    '<meta name="robots" content="nofollow"><meta name="robots" content="noindex"><meta name="robots" content="noindex">',
    '*: noindex',
  ),
  // Places.
  body('in-body', '<div><meta name="robots" content="noindex"></div>', '*: noindex'),
  body('after-body', '</body></html><meta name="robots" content="noindex">', '*: noindex'),
  body('in-drawing', '<svg><meta name="robots" content="noindex"></svg>', '*: noindex'),
  body('in-table', '<table><meta name="robots" content="noindex"></table>', '*: noindex'),
  body('in-select-text', '&lt;meta name="robots" content="noindex"&gt;', ''),
  head('in-comment', '<!-- <meta name="robots" content="noindex"> -->', ''),
  head('in-script', `<script>document.write('<meta name="robots" content="noindex">')</script>`, ''),
  head('in-template', '<template><meta name="robots" content="noindex"></template>', ''),
  head('in-noscript', '<noscript><meta name="robots" content="noindex"></noscript>', ''),
  head('in-title', '</title><title><meta name="robots" content="noindex">', ''),
  body('in-textarea', '<textarea><meta name="robots" content="noindex"></textarea>', ''),
  body('in-attribute', `<a title='<meta name="robots" content="noindex">'>a</a>`, ''),
  createCase('fragment', '<meta name=robots content=noindex>text', '*: noindex'),
  createCase('slash', '<!doctype html><meta name="robots" content="noindex"/>', '*: noindex'),
  createCase('unclosed', '<!doctype html><head><meta name="robots" content="noindex"', ''),
];
