// A shop with every kind of finding, and with hostile texts.
import { type Answer, html, type Site } from './audit-runs.ts';

const ORIGIN = 'https://shop.example';
/** Text that closes elements, contains markup and reverses the direction of the text after it. */
export const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e"=1+1"<!--';

const at = (path: string): string => `${ORIGIN}${path}`;
const redirect = (to: string, status: number = 301): Answer => ({ status, headers: { location: to } });
const canonical = (...urls: readonly string[]): string =>
  urls.map((url) => `<link rel="canonical" href="${url}">`).join('');
const noindex = '<meta name="robots" content="noindex, follow">';
const escapedHostile = HOSTILE.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const PRODUCTS = Array.from({ length: 40 }, (_, index) => `/products/${index + 1}`);
const products: Record<string, Answer> = Object.fromEntries(
  PRODUCTS.map((path, index) => [
    at(path),
    {
      body: html(`Product ${index + 1}`, ['/', `/products/${index + 1}?sort=price`], canonical(path)),
      milliseconds: 60 + index,
    },
  ]),
);
const sorted: Record<string, Answer> = Object.fromEntries(
  PRODUCTS.map((path, index) => [
    at(`${path}?sort=price`),
    { body: html(`Product ${index + 1}`, ['/'], canonical(path)) },
  ]),
);

const ROBOTS = `User-agent: *
Disallow: /cart
Disallow: /search?  # no results of searches
Allow: /search$

User-agent: GPTBot
Disallow: /cart
Disallow: /products/
Disallow: /private</script><b>

Sitemap: ${ORIGIN}/sitemap.xml
`;

/** The site. Its home page links to most of its URLs. */
export const SHOP: Site = {
  start: at('/'),
  agents: ['Googlebot', 'GPTBot'],
  robots: ROBOTS,
  trap: '/calendar/2',
  sitemaps: {
    [at('/sitemap.xml')]: [
      ...PRODUCTS.slice(0, 30).map(at),
      ...[
        at('/'),
        at('/cart'),
        at('/old'),
        at('/missing'),
        at('/members'),
        at('/about?from=map'),
        at('/orphan'),
      ],
    ],
  },
  answers: {
    ...products,
    ...sorted,
    [at('/')]: {
      body: html('The shop', [
        ...PRODUCTS,
        ...[
          '/about',
          '/cart',
          '/search?q=shoes',
          '/search',
          '/members',
          '/old',
          '/missing',
          '/broken',
          '/slow',
          '/down',
        ],
        ...[
          '/loop-a',
          '/both',
          '/chain',
          '/soft',
          '/calendar/1',
          '/hostile',
          '/de',
          '/private</script><b>',
          '/late',
        ],
        'https://elsewhere.example/',
      ]),
    },
    [at('/about')]: { body: html('About us', ['/'], canonical('/about')) },
    [at('/about?from=map')]: { body: html('About us', ['/'], canonical('/about')) },
    [at('/search')]: { body: html('Search', ['/']) },
    [at('/members')]: { body: html('Members', ['/'], noindex) },
    [at('/late')]: {
      body: html('Late', ['/']),
      headers: { 'x-robots-tag': 'unavailable_after: 1 Jan 2020 00:00:00 GMT' },
    },
    [at('/old')]: redirect('/old-2'),
    [at('/old-2')]: redirect('/about', 302),
    [at('/loop-a')]: redirect('/loop-b'),
    [at('/loop-b')]: redirect('/loop-a'),
    [at('/missing')]: { status: 404, body: html('Nothing here') },
    [at('/soft')]: { body: html('Nothing here') },
    [at('/broken')]: { status: 500, body: html('Error') },
    [at('/slow')]: { body: html('Slow', ['/']), milliseconds: 4_200 },
    [at('/down')]: { failure: 'timeout' },
    [at('/both')]: { body: html('Both', ['/'], canonical('/about', '/products/1')) },
    [at('/chain')]: { body: html('Chain', ['/'], canonical('/about?from=map')) },
    [at('/calendar/1')]: { body: html('January', ['/calendar/2', '/calendar/20']) },
    [at('/orphan')]: { body: html('Orphan', ['/']) },
    [at('/de')]: {
      body: html(
        'Deutsch',
        ['/'],
        '<link rel="alternate" hreflang="en" href="/members"><link rel="alternate" hreflang="de" href="/de">',
      ),
    },
    [at('/hostile')]: {
      body: html(escapedHostile, [`/${HOSTILE}`, '/=cmd']),
      headers: { 'x-robots-tag': `noindex, ${HOSTILE.replace(/[^ -~]/g, '')}` },
    },
    [at('/=cmd')]: { body: html("=cmd|' /C calc'!A0") },
  },
};
