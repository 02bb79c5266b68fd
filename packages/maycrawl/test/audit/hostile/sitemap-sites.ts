/**
 * Sitemaps that are bombs, or are wrong.
 *
 * @module
 */
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Ask, type HostileSite, pour, type Seen } from './hostile-site.ts';

type Answer = (ask: Ask) => void;

/** A site whose robots.txt names `/s`; other sitemaps go by their paths. Pages are closed, so that none is fetched. */
function site(
  name: string,
  files: Readonly<Record<string, Answer>>,
  check: HostileSite['check'],
): HostileSite {
  return {
    ...{ name, links: [], outcomes: {}, requests: 20, ...(check && { check }) },
    answer: (ask) => {
      const { target, origin, response } = ask;
      const file = files[target];
      if (target === '/robots.txt') response.end(`Sitemap: ${origin}/s\nUser-agent: *\nDisallow: /in/\n`);
      else if (file === undefined) return false;
      else file(ask);
      return true;
    },
  };
}

const text =
  (of: (origin: string) => string): Answer =>
  ({ origin, response }) =>
    response.end(of(origin));

const urlset = (count: number, folder: string): string =>
  `<urlset>${Array.from({ length: count }, (_, index) => `<url><loc>${folder}${index}</loc></url>`).join('')}</urlset>`;
const indexOf = (origin: string, paths: readonly string[]): string =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')}</sitemapindex>`;

/** Of the sitemap at that path it is told what is wrong. */
async function problemOf({ run }: Seen, path: string, port: string): Promise<string | null | undefined> {
  return (await run.sitemaps()).find(({ url }) => url.endsWith(`${port}${path}`))?.problem;
}
const portOf = ({ urls }: Seen): string => new URL(urls[0]?.url ?? '').port;
const inSitemap = ({ urls }: Seen): string[] =>
  urls.filter(({ path }) => path.startsWith('/in/')).map(({ path }) => path);

const tells =
  (problem: RegExp, more: (seen: Seen) => unknown = () => {}): HostileSite['check'] =>
  async (seen) => {
    expect(await problemOf(seen, '/s', portOf(seen))).toMatch(problem);
    await more(seen);
  };

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ORIGIN/in/lol">${Array.from(
  { length: 12 },
  (_, index) =>
    `<!ENTITY ${String.fromCharCode(98 + index)} "${`&${String.fromCharCode(97 + index)};`.repeat(20)}">`,
).join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]><urlset>`;

export const SITEMAP_SITES: readonly HostileSite[] = [
  site(
    '50,001 URLs',
    // Of somebody else, which need not be judged.
    { '/s': text(() => urlset(50_001, 'http://elsewhere.example/')) },
    tells(/more than 50000 entries/, async (seen) => {
      const { entries } =
        (await seen.run.sitemaps()).find(({ url }) => url.includes(`:${portOf(seen)}/`)) ?? {};
      expect(entries).toBe(50_000);
    }),
  ),
  site(
    'entries that are too long',
    {
      '/s': text((origin) => {
        const long = (length: number): string => `${origin}/in/${'x'.repeat(length - origin.length - 4)}`;
        return [long(2_048), long(2_049), long(3_000_000), `${origin}/in/fine`].join('\n');
      }),
    },
    tells(/2 entries: longer than 2048 characters/, (seen) => expect(inSitemap(seen).length).toBe(2)),
  ),
  site(
    'an index in an index',
    {
      '/s': text((origin) => indexOf(origin, ['/i', '/u'])),
      '/i': text((origin) => indexOf(origin, ['/j', '/s'])),
      '/u': text((origin) => urlset(1, `${origin}/in/`)),
    },
    async (seen) => {
      expect(await problemOf(seen, '/i', portOf(seen))).toMatch(/2 entries: sitemaps in an index/);
      expect(inSitemap(seen)).toEqual(['/in/0']);
      expect(seen.requests).not.toContain('/j');
    },
  ),
  site('an index of itself', { '/s': text((origin) => indexOf(origin, ['/s', '/s'])) }, ({ requests }) =>
    expect(requests.filter((each) => each === '/s').length).toBe(1),
  ),
  site(
    'a bomb',
    { '/s': ({ response }) => response.end(gzipSync(Buffer.alloc(80_000_000, ' '))) },
    tells(/more than 52428800 bytes/),
  ),
  site(
    'a bomb by its encoding',
    {
      '/s': ({ response }) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' });
        response.end(gzipSync(gzipSync(Buffer.alloc(80_000_000, 'a'))));
      },
    },
    tells(/more than 52428800 bytes/),
  ),
  site(
    'one that does not end',
    { '/s': ({ response }) => pour(response, () => ' '.repeat(100), 20) },
    tells(/no complete response within/),
  ),
  site(
    'entities of entities',
    {
      '/s': text(
        (origin) =>
          `${LAUGHS.replace('ORIGIN', origin)}<url><loc>&m;</loc></url><url><loc>&file;</loc></url><url><loc>${origin}/in/real</loc></url></urlset>`,
      ),
    },
    tells(/2 entries: no absolute http or https URL/, (seen) =>
      expect(inSitemap(seen)).toEqual(['/in/real']),
    ),
  ),
  site(
    'elements in elements',
    { '/s': text((origin) => `<urlset>${'<url>'.repeat(500_000)}<loc>${origin}/in/deep</loc>`) },
    ({ requests }) => expect(requests).toContain('/s'),
  ),
  site(
    'entries that are no URLs of the web',
    {
      '/s': text((origin) =>
        ['file:///etc/passwd', 'javascript:alert(1)', '/in/relative', 'http://[', `${origin}/in/1`].join(
          '\n',
        ),
      ),
    },
    tells(/4 entries: no absolute http or https URL/, (seen) => expect(inSitemap(seen)).toEqual(['/in/1'])),
  ),
  site(
    'a page instead',
    {
      '/s': ({ response, origin }) => {
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.end(
          `<!doctype html><html><head><link href="${origin}/in/a"></head><body>not found</body></html>`,
        );
      },
    },
    (seen) => expect(inSitemap(seen)).toEqual([]),
  ),
  site(
    'a redirect to itself',
    { '/s': ({ response }) => response.writeHead(301, { Location: '/s' }).end() },
    tells(/redirect/),
  ),
  site(
    'one that breaks off',
    {
      '/s': ({ request: { socket }, origin }) =>
        socket.end(
          `HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n<urlset><url><loc>${origin}/in/1</loc></url>`,
        ),
    },
    tells(/./, (seen) => expect(inSitemap(seen)).toEqual(['/in/1'])),
  ),
];
