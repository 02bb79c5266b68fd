// Links: their depth, every form of a URL, and the places in a document where an href is not a link.
import { type Case, html } from './case.ts';

/** Creates a page with links, and the links that a crawler has to find. */
function createPage(name: string, body: string, links: readonly string[], more: Partial<Case> = {}): Case {
  return { url: `/links/${name}`, served: { body: html('', body) }, links, ...more };
}

/** A page that only one other page names. */
const found = (url: string, depth: number | null = 3): Case => ({
  url,
  served: { body: html() },
  isListed: false,
  depth,
});

/** An href and its URL; `null` if it cannot be crawled. */
const FORMS: readonly (readonly [href: string, url: string | null])[] = [
  ['/links/form/absolute', '/links/form/absolute'],
  ['form/relative', '/links/form/relative'],
  ['/links/form/%2e%2e/form/encoded-dots', '/links/form/encoded-dots'],
  ['{origin}/links/form/whole', '/links/form/whole'],
  ['//{host}/links/form/without-scheme', '/links/form/without-scheme'],
  ['\\links\\form\\backslashes', '/links/form/backslashes'],
  [' /links/form/spaces-around ', '/links/form/spaces-around'],
  ['/links/form/with space', '/links/form/with%20space'],
  ['/links/form/fragment#a', '/links/form/fragment'],
  ['/links/form/fragment#b', '/links/form/fragment'],
  ['/links/form/query?a=1&amp;b=2', '/links/form/query?a=1&b=2'],
  ['/links/form/query?', '/links/form/query?'],
  ['/links/form/query', '/links/form/query'],
  ['/links/form/%c3%a9', '/links/form/%C3%A9'],
  ['/links/form/é', '/links/form/%C3%A9'],
  ['/links/form/%', '/links/form/%'],
  ['', '/links/forms'],
  ['mailto:a@example.com', null],
  ['javascript:void(0)', null],
  ['http://', null],
  ['http://elsewhere.example', 'http://elsewhere.example/'],
];

const named = [...new Set(FORMS.flatMap(([, url]) => (url === null ? [] : [url])))];
const anchors = FORMS.map(([href]) => `<a href="${href}">a</a>`).join('\n');
const OUTSIDE = ['http://elsewhere.example/'];

export const LINK_CASES: readonly Case[] = [
  createPage(
    'forms',
    anchors,
    named.map((url) => `link ${url}`),
  ),
  ...named.filter((url) => !OUTSIDE.includes(url) && url !== '/links/forms').map((url) => found(url)),
  ...OUTSIDE.map((url): Case => ({ url, served: null, state: 'outside', isListed: false })),
  // Depth: the length of the shortest path, regardless of the path found first.
  createPage('chain-1', '<a href="chain-2">2</a>', ['link /links/chain-2']),
  ...[2, 3, 4, 5].map((step) =>
    createPage(`chain-${step}`, `<a href="chain-${step + 1}">on</a>`, [`link /links/chain-${step + 1}`], {
      ...{ isListed: false, depth: step + 1 },
    }),
  ),
  createPage('chain-6', '<a href="diamond">d</a><a href="/">start</a>', ['link /links/diamond', 'link /'], {
    ...{ isListed: false, depth: 7 },
  }),
  createPage('short-cut', '<a href="diamond">d</a>', ['link /links/diamond']),
  found('/links/diamond'),
  // Elements.
  createPage('area', '<map><area href="/links/by-area"></map>', ['link /links/by-area']),
  createPage('iframe', '<iframe src="/links/by-iframe"></iframe>', ['link /links/by-iframe']),
  {
    url: '/links/frames',
    served: { body: '<!doctype html><frameset><frame src="by-frame"></frameset>' },
    links: ['link /links/by-frame'],
  },
  ...['/links/by-area', '/links/by-iframe', '/links/by-frame'].map((url) => found(url)),
  createPage('itself', '<a href="itself">a</a>', ['link /links/itself']),
  {
    url: '/links/base',
    served: {
      body: html('<base href="/links/based/">', '<a href="a">a</a><a href="?q">q</a><a href="#x">x</a>'),
    },
    links: ['link /links/based/a', 'link /links/based/?q', 'link /links/based/'],
  },
  ...['/links/based/a', '/links/based/?q', '/links/based/'].map((url) => found(url)),
  // nofollow: the URL is still discovered, but no crawler follows the link, so it leads to no depth.
  createPage('nofollow', '<a rel="NoFollow ugc" href="only-nofollow">n</a>', [
    'nofollow /links/only-nofollow',
  ]),
  createPage('nofollow-and-not', '<a rel="nofollow" href="twofold">n</a><a href="twofold">f</a>', [
    ...['link /links/twofold', 'nofollow /links/twofold'],
  ]),
  {
    url: '/links/page-nofollow',
    served: { body: html('<meta name="robots" content="nofollow">', '<a href="behind-nofollow">n</a>') },
    links: ['nofollow /links/behind-nofollow'],
  },
  found('/links/twofold'),
  ...['only-nofollow', 'behind-nofollow'].map((name) => found(`/links/${name}`, null)),
  // Other link types.
  {
    url: '/links/alternates',
    served: {
      headers: [['Link', '</links/de>; rel="alternate"; hreflang="de", </links/plain>; rel=alternate']],
      body: html(
        '<link rel="alternate" hreflang="fr" href="fr"><link rel="alternate" type="text/xml" href="feed">',
      ),
    },
    links: ['alternate /links/de', 'alternate /links/fr'],
  },
  ...['/links/de', '/links/fr'].map((url) => found(url, null)),
  {
    url: '/links/series',
    served: { body: html('<link rel="next" href="series-2"><link rel="prev" href="series-0">') },
    links: ['neighbour /links/series-2', 'neighbour /links/series-0'],
  },
  ...['/links/series-2', '/links/series-0'].map((url) => found(url, null)),
  {
    url: '/links/every-way',
    served: {
      body: html(
        '<link rel="canonical" href="all"><link rel="alternate" hreflang="x-default" href="all"><meta http-equiv=refresh content="9;all">',
        '<a href="all">a</a>',
      ),
    },
    canonical: 'other /links/all',
    reasons: 'canonicalised',
    links: ['canonical /links/all', 'alternate /links/all', 'refresh /links/all', 'link /links/all'],
  },
  found('/links/all'),
  // No links.
  createPage(
    'none',
    `<!-- <a href="/never/1"> --><script>'<a href="/never/2">'</script><template><a href="/never/3">a</a></template>
     <textarea><a href="/never/4"></textarea><noscript><a href="/never/5">a</a></noscript><svg><a href="/never/6">a</a></svg>
     <form action="/never/7"><button formaction="/never/8">b</button></form><img src="/never/9"><a name="/never/10">a</a>
     <link rel="stylesheet" href="/never/11"><a data-href="/never/12" onclick="location='/never/13'">a</a>
     <blockquote cite="/never/14"></blockquote><video src="/never/15"></video><p title='<a href="/never/16">'>p</p>`,
    [],
  ),
];
