/**
 * Canonicals: in the head, the body and headers; to the page itself and to other pages; ignored, conflicting, and in chains.
 *
 * @module
 */
import { type Case, html, type Served } from './case.ts';

const A = '/canonical/a';
const B = '/canonical/b';
const ELSEWHERE = 'https://elsewhere.example/c';

type Expected = Pick<Case, 'noindex' | 'reasons' | 'links'>;

/**
 * @param canonical - `self` for the page itself.
 * @param statements - `SELF` stands for the page itself.
 */
function createCase(
  name: string,
  served: Served,
  canonical: string,
  statements: readonly string[],
  expected: Expected = {},
): Case {
  const url = `/canonical/${name}`;
  const [kind, ...others] = canonical.split(' ');
  const targets = kind === 'self' ? [url] : others;
  return {
    url,
    served,
    canonical,
    statements: statements.map((each) => each.replace('SELF', url)),
    reasons: kind === 'other' ? 'canonicalised' : '',
    links: targets.map((target) => `canonical ${target}`),
    ...expected,
  };
}

const head = (
  name: string,
  tags: string,
  canonical: string,
  statements: readonly string[],
  expected?: Expected,
): Case => createCase(name, { body: html(tags) }, canonical, statements, expected);
const link = (href: string, more = ''): string => `<link rel="canonical" href="${href}"${more}>`;
const header = (...values: readonly string[]): Served => ({
  headers: values.map((value) => ['Link', value] as const),
  body: html(),
});
const other = (url: string): [string, string[]] => [`other ${url}`, [`html ${url}`]];
const ignored = (name: string, tags: string, why: string): Case =>
  head(`ignored-${name}`, tags, 'absent', [`html ${why}`]);

export const CANONICAL_CASES: readonly Case[] = [
  { url: A, served: { body: html() } },
  { url: B, served: { body: html() } },
  { url: ELSEWHERE, served: null, state: 'outside', isTarget: true, isListed: false },
  // The page itself.
  head('self', link('/canonical/self'), 'self', ['html SELF']),
  head('self-absolute', link('{origin}/canonical/self-absolute'), 'self', ['html SELF']),
  head('self-relative', link('self-relative'), 'self', ['html SELF']),
  head('self-fragment', link('/canonical/self-fragment#top'), 'self', ['html SELF']),
  head('self-only-fragment', link('#top'), 'self', ['html SELF']),
  head('self-dots', link('./../canonical/self-dots'), 'self', ['html SELF']),
  head('self-spaces', link(' /canonical/self-spaces\n'), 'self', ['html SELF']),
  head('self-twice', link('self-twice') + link('/canonical/self-twice#x'), 'self', ['html SELF']),
  head('self%C3%A9', link('self%c3%a9'), 'self', ['html SELF']),
  head('self%C3%BC', link('selfü'), 'self', ['html SELF']),
  head('self?a=1&b=2', link('?a=1&amp;b=2'), 'self', ['html SELF']),
  createCase('self-header', header('</canonical/self-header>; rel="canonical"'), 'self', ['header SELF']),
  // Almost the page itself.
  head('slash/', link('/canonical/slash'), 'other /canonical/slash', ['html /canonical/slash']),
  { url: '/canonical/slash', served: { body: html() }, isListed: false, depth: null },
  head('Case', link('/canonical/case'), 'other /canonical/case', ['html /canonical/case']),
  { url: '/canonical/case', served: { body: html() }, isListed: false, depth: null },
  head('query?b=2&a=1', link('query?a=1&b=2'), ...other('/canonical/query?a=1&b=2')),
  { url: '/canonical/query?a=1&b=2', served: { body: html() }, isListed: false, depth: null },
  head('query?', link('/canonical/query'), ...other('/canonical/query')),
  { url: '/canonical/query', served: { body: html() }, isListed: false, depth: null },
  head('tilde%7E', link('tilde~'), ...other('/canonical/tilde~')),
  { url: '/canonical/tilde~', served: { body: html() }, isListed: false, depth: null },
  // Another page, in every form.
  head('other', link(A), ...other(A)),
  head('other-unquoted', `<link href=${A} rel=canonical />`, ...other(A)),
  head('other-case', `<LINK REL="Canonical" HREF="${A}">`, ...other(A)),
  head('other-words', `<link rel="nofollow canonical" href="${A}">`, ...other(A)),
  head('other-relative', link('a'), ...other(A)),
  head('other-twice', link(A) + link('a'), `other ${A}`, [`html ${A}`]),
  head('other-reference', link('/canonical/&#97;'), ...other(A)),
  head('other-host', link(ELSEWHERE), ...other(ELSEWHERE)),
  head('base', `<base href="/canonical/x/">${link('../a')}`, ...other(A)),
  head('base-first', `<base href="/canonical/"><base href="/nowhere/">${link('a')}`, ...other(A)),
  head('base-after', `${link('a')}<base href="/canonical/">`, ...other(A)),
  head(
    'base-self',
    `<base href="https://elsewhere.example/">${link('{origin}/canonical/base-self')}`,
    'self',
    ['html SELF'],
  ),
  head('base-elsewhere', `<base href="https://elsewhere.example/">${link('c')}`, ...other(ELSEWHERE)),
  createCase('header', header(`<{origin}${A}>; rel="canonical"`), `other ${A}`, [`header ${A}`]),
  createCase('header-relative', header('<a>; rel=canonical'), `other ${A}`, [`header ${A}`]),
  createCase('header-list', header(`</x>; rel="prev", <${A}>; title="a, b"; REL="Canonical"`), `other ${A}`, [
    `header ${A}`,
  ]),
  createCase('header-second', header('</x.css>; rel=preload', `<${A}>; rel=canonical`), `other ${A}`, [
    `header ${A}`,
  ]),
  createCase('header-words', header(`<${A}>; rel="alternate canonical"`), `other ${A}`, [`header ${A}`]),
  createCase(
    'header-ignores-base',
    { headers: [['Link', '<a>; rel=canonical']], body: html('<base href="/nowhere/">') },
    `other ${A}`,
    [`header ${A}`],
  ),
  createCase(
    'pdf',
    {
      headers: [
        ['Content-Type', 'application/pdf'],
        ['Link', `<${A}>; rel="canonical"`],
      ],
      body: link(B),
    },
    `other ${A}`,
    [`header ${A}`],
  ),
  // Two statements.
  createCase(
    'both-agree',
    { headers: [['Link', `<${A}>; rel="canonical"`]], body: html(link(A)) },
    `other ${A}`,
    [...[`header ${A}`, `html ${A}`]],
  ),
  createCase(
    'both-disagree',
    { headers: [['Link', `<${A}>; rel="canonical"`]], body: html(link(B)) },
    `conflict ${A} ${B}`,
    [...[`header ${A}`, `html ${B}`]],
  ),
  head('conflict', link(A) + link(B), `conflict ${A} ${B}`, [`html ${A}`, `html ${B}`]),
  head(
    'conflict-with-self',
    link('conflict-with-self') + link(B),
    `conflict /canonical/conflict-with-self ${B}`,
    [...['html SELF', `html ${B}`]],
  ),
  createCase(
    'conflict-in-headers',
    header(`<${A}>; rel=canonical`, `<${B}>; rel=canonical`),
    `conflict ${A} ${B}`,
    [...[`header ${A}`, `header ${B}`]],
  ),
  // Ignored.
  head('in-body', `</head><body><div></div>${link(A)}`, 'absent', ['html in-body']),
  head('after-div', `<div></div>${link(A)}`, 'absent', ['html in-body']),
  head('after-image', `<img src="/i.png">${link(A)}`, 'absent', ['html in-body']),
  head('after-word', `word ${link(A)}`, 'absent', ['html in-body']),
  head('between', `</head>${link(A)}`, ...other(A)),
  head(
    'after-script',
    `<script>"</head>"</script><style>p{}</style><noscript><p></noscript>${link(A)}`,
    ...other(A),
  ),
  ignored('hreflang', link(A, ' hreflang="de"'), 'hreflang'),
  ignored('lang', link(A, ' lang="de"'), 'lang'),
  ignored('media', link(A, ' media="print"'), 'media'),
  ignored('type', link(A, ' type="text/html"'), 'type'),
  ignored('empty', link(''), 'empty'),
  ignored('spaces', link(' '), 'empty'),
  ignored('no-url', link('http://['), 'invalid-url'),
  ignored('mail', link('mailto:a@example.com'), 'invalid-url'),
  head('ignored-and-one-that-counts', link(B, ' media="print"') + link(A), `other ${A}`, [
    'html media',
    `html ${A}`,
  ]),
  head('none-without-href', '<link rel="canonical">', 'absent', []),
  head('none-in-comment', `<!--${link(A)}-->`, 'absent', []),
  head('none-in-script', `<script>'${link(A)}'</script>`, 'absent', []),
  head('none-in-template', `<template>${link(A)}</template>`, 'absent', []),
  head('none-in-anchor', `</head><body><a rel="canonical" href="${A}">a</a>`, 'absent', [], {
    links: [`link ${A}`],
  }),
  head('none-in-og', `<meta property="og:url" content="${A}">`, 'absent', []),
  createCase('anchor', header(`<${A}>; rel="canonical"; anchor="/x"`), 'absent', ['header anchor']),
  createCase(
    'anchor-self',
    header(`<${A}>; rel="canonical"; anchor="/canonical/anchor-self"`),
    `other ${A}`,
    [`header ${A}`],
  ),
  createCase('header-rev', header(`<${A}>; rev="canonical"`), 'absent', []),
  createCase('header-no-brackets', header(`${A}; rel="canonical"`), 'absent', []),
  // Chains: each page names the next one only.
  head('chain-1', link('chain-2'), ...other('/canonical/chain-2')),
  head('chain-2', link('chain-3'), ...other('/canonical/chain-3')),
  head('chain-3', link('chain-3'), 'self', ['html SELF']),
  head('ring-1', link('ring-2'), ...other('/canonical/ring-2')),
  head('ring-2', link('ring-1'), ...other('/canonical/ring-1')),
  head('to-redirect', link('/redirect/301'), ...other('/redirect/301')),
  head('to-missing', link('/status/404'), ...other('/status/404')),
  head('to-closed', link('/closed/canonical'), ...other('/closed/canonical')),
  {
    ...{ url: '/closed/canonical', served: { body: html() }, state: 'blocked', isListed: false, depth: null },
    crawl: ['-9', '-9', '-18', '-3'],
    reasons: 'blocked',
  },
  // With noindex: both reasons apply.
  head('with-noindex', `${link(A)}<meta name="robots" content="noindex">`, `other ${A}`, [`html ${A}`], {
    noindex: 'meta *: noindex',
    reasons: 'noindex canonicalised',
    links: [`canonical ${A}`],
  }),
  head(
    'self-with-noindex',
    `${link('self-with-noindex')}<meta name="googlebot" content="noindex">`,
    'self',
    ['html SELF'],
    {
      noindex: ['meta googlebot: noindex', 'meta googlebot: noindex', '', ''],
      reasons: ['noindex', 'noindex', '', ''],
    },
  ),
  head(
    'conflict-with-noindex',
    `${link(A)}${link(B)}<meta name="robots" content="none">`,
    `conflict ${A} ${B}`,
    [...[`html ${A}`, `html ${B}`]],
    { noindex: 'meta *: none', reasons: 'noindex' },
  ),
];
