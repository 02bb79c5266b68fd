// The initial state of the page: the robots.txt of a small shop, and URLs and crawlers with different verdicts. And the URLs of a site that
// are tested first: the one that was typed, the home page, and an example for each of the first rules.

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

/** A rule in its standard spelling. A sample needs no exact reading, which is that of the workers. */
const RULE = /^[\t ]*(?:dis)?allow[\t ]*:[\t ]*([^\s#]+)/gim;

/** Rules with an example. */
const MAX_EXAMPLES = 8;

/**
 * Creates the list of URLs for a site.
 *
 * @param url - the URL that was typed, which is the first one.
 * @param text - the robots.txt.
 */
export function createSiteSample(origin: string, url: string, text: string): string[] {
  const paths = new Set<string>();
  for (const [, pattern = ''] of text.matchAll(RULE)) {
    if (paths.size === MAX_EXAMPLES) break;
    const path = toPath(pattern);
    if (path !== null) paths.add(path);
  }
  return [...new Set([url, `${origin}/`, ...[...paths].map((path) => `${origin}${path}`)])];
}

/** Returns a path that a pattern matches; `null` for patterns that match no path, or every path. */
function toPath(pattern: string): string | null {
  let end = pattern.endsWith('$') ? pattern.length - 1 : pattern.length;
  while (pattern[end - 1] === '*') end--;
  const path = pattern
    .slice(0, end)
    .replace(/^\*\/?/, '/')
    .replaceAll('*', 'x');
  return path.startsWith('/') && path !== '/' ? path : null;
}
