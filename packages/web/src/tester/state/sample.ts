// The initial state of the page: the robots.txt of a small shop, and URLs and crawlers with different verdicts.

export const SAMPLE_TEXT = `# The robots.txt of a small shop.
User-agent: *
Disallow: /cart/
Disallow: /search
Disallow: /*?sessionid=
Allow: /search/about

User-agent: Googlebot
User-agent: bingbot
Disallow: /cart/
Disallow: /private
Allow: /private/press/
Dissallow: /tmp/

User-agent: GPTBot
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`;

export const SAMPLE_URLS: readonly string[] = [
  'https://shop.example/private/press/2026',
  'https://shop.example/',
  'https://shop.example/cart/',
  'https://shop.example/search?q=lamp',
  'https://shop.example/search/about',
  'https://shop.example/private/report',
  'https://shop.example/lamps?sessionid=1',
  'https://shop.example/tmp/a',
  '/robots.txt',
];

export const SAMPLE_CRAWLERS: readonly string[] = [
  'Googlebot',
  'Googlebot Image',
  'bingbot',
  'GPTBot',
  'AnyOtherBot',
];
