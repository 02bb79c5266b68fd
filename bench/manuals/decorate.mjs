// What a site owner's site has and a manual lacks: redirects, errors, noindex, canonicals, blocked folders and a compressed sitemap index.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Writes robots.txt and sitemaps, and returns the rules of nginx that decorate a manual.
 *
 * @param pages - paths of linked pages that get another response: `[path, status, target]`.
 * @param noindex - a regular expression of paths that send a noindex header; `canonical`: of those that send a Link header.
 * @param blocked - prefixes that the robots.txt disallows.
 * @param listed - folder whose pages the sitemaps list; `at`: its path.
 */
export function decorate({ pages, noindex, canonical, blocked, listed }, { folder, origin, scratch }) {
  const files = join(scratch, `decorations-${new URL(origin).port}`);
  mkdirSync(files);
  const write = (name, content) => writeFileSync(join(files, name), content);
  const rules = blocked.map((prefix) => `Disallow: ${prefix}\n`).join('');
  write('robots.txt', `User-agent: *\n${rules}\nSitemap: ${origin}/sitemap.xml.gz\n`);
  const urls = readdirSync(join(folder, listed))
    .filter((name) => name.endsWith('.html'))
    .map((name) => `${origin}${listed}${name}`);
  const half = Math.ceil(urls.length / 2);
  write('sitemap-1.xml.gz', gzipSync(toSitemap(urls.slice(0, half))));
  write('sitemap-2.xml', toSitemap([...urls.slice(half), `${origin}${listed}only-in-the-sitemap.html`]));
  const sitemaps = ['sitemap-1.xml.gz', 'sitemap-2.xml'];
  const index = sitemaps.map((name) => `<sitemap><loc>${origin}/${name}</loc></sitemap>`).join('\n');
  write('sitemap.xml.gz', gzipSync(`${toXml('sitemapindex', index)}`));
  return [
    ...['robots.txt', 'sitemap.xml.gz', ...sitemaps].map((name) => `location = /${name} { root ${files}; }`),
    ...pages.map(([path, status, target = '']) => `location = ${path} { return ${status} ${target}; }`),
    `location ~ ${noindex} { add_header X-Robots-Tag noindex; }`,
    `location ~ ${canonical} { add_header Link '<${origin}/>; rel="canonical"'; }`,
  ].join('\n');
}

function toSitemap(urls) {
  return toXml('urlset', urls.map((url) => `<url><loc>${url}</loc></url>`).join('\n'));
}

function toXml(name, content) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${content}</${name}>\n`;
}
