// Sitemaps that are decompression bombs or invalid.
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Exchange, type HostileSite, type Seen, writePieces } from './hostile-site.ts';

type Responder = (exchange: Exchange) => void;

/** Creates a site whose robots.txt names `/s`. Its pages are disallowed, so that no page is fetched. */
function createSite(
  name: string,
  files: Readonly<Record<string, Responder>>,
  check: HostileSite['check'],
): HostileSite {
  return {
    ...{ name, links: [], outcomes: {}, requests: 20, ...(check && { check }) },
    respond: (exchange) => {
      const { target, origin, response } = exchange;
      const file = files[target];
      if (target === '/robots.txt') response.end(`Sitemap: ${origin}/s\nUser-agent: *\nDisallow: /in/\n`);
      else if (file === undefined) return false;
      else file(exchange);
      return true;
    },
  };
}

const text =
  (of: (origin: string) => string): Responder =>
  ({ origin, response }) =>
    response.end(of(origin));

const formatUrlSet = (count: number, folder: string): string =>
  `<urlset>${Array.from({ length: count }, (_, index) => `<url><loc>${folder}${index}</loc></url>`).join('')}</urlset>`;
const formatIndex = (origin: string, paths: readonly string[]): string =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')}</sitemapindex>`;

/** Returns the problem of the sitemap at a path. */
function getProblem({ run }: Seen, path: string, port: string): string | null | undefined {
  return run.sitemaps.list().find(({ url }) => url.endsWith(`${port}${path}`))?.problem;
}
const getPort = ({ urls }: Seen): string => new URL(urls[0]?.url ?? '').port;
const inSitemap = ({ urls }: Seen): string[] =>
  urls.filter(({ path }) => path.startsWith('/in/')).map(({ path }) => path);

const expectProblem =
  (problem: RegExp, more: (seen: Seen) => unknown = () => {}): HostileSite['check'] =>
  async (seen) => {
    expect(getProblem(seen, '/s', getPort(seen))).toMatch(problem);
    await more(seen);
  };

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ORIGIN/in/lol">${Array.from(
  { length: 12 },
  (_, index) =>
    `<!ENTITY ${String.fromCharCode(98 + index)} "${`&${String.fromCharCode(97 + index)};`.repeat(20)}">`,
).join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]><urlset>`;

export const SITEMAP_SITES: readonly HostileSite[] = [
  createSite(
    '50,001 URLs',
    // URLs of another site, so that they are not judged.
    { '/s': text(() => formatUrlSet(50_001, 'http://elsewhere.example/')) },
    expectProblem(/more than 50000 entries/, async (seen) => {
      const { entries } =
        seen.run.sitemaps.list().find(({ url }) => url.includes(`:${getPort(seen)}/`)) ?? {};
      expect(entries).toBe(50_000);
    }),
  ),
  createSite(
    'a nested index',
    {
      '/s': text((origin) => formatIndex(origin, ['/i', '/u'])),
      '/i': text((origin) => formatIndex(origin, ['/j', '/s'])),
      '/u': text((origin) => formatUrlSet(1, `${origin}/in/`)),
    },
    async (seen) => {
      expect(getProblem(seen, '/i', getPort(seen))).toMatch(/2 entries: sitemaps in an index/);
      expect(inSitemap(seen)).toEqual(['/in/0']);
      expect(seen.requests).not.toContain('/j');
    },
  ),
  createSite(
    'an index of itself',
    { '/s': text((origin) => formatIndex(origin, ['/s', '/s'])) },
    ({ requests }) => expect(requests.filter((each) => each === '/s').length).toBe(1),
  ),
  createSite(
    'a bomb in a content encoding',
    {
      '/s': ({ response }) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' });
        response.end(gzipSync(gzipSync(Buffer.alloc(80_000_000, 'a'))));
      },
    },
    expectProblem(/more than 52428800 bytes/),
  ),
  createSite(
    'an endless sitemap',
    { '/s': ({ response }) => writePieces(response, () => ' '.repeat(100), 20) },
    expectProblem(/no complete response within/),
  ),
  createSite(
    'entities of entities',
    {
      '/s': text(
        (origin) =>
          `${LAUGHS.replace('ORIGIN', origin)}<url><loc>&m;</loc></url><url><loc>&file;</loc></url><url><loc>${origin}/in/real</loc></url></urlset>`,
      ),
    },
    expectProblem(/2 entries: no absolute http or https URL/, (seen) =>
      expect(inSitemap(seen)).toEqual(['/in/real']),
    ),
  ),
  createSite(
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
  createSite(
    'a redirect to itself',
    { '/s': ({ response }) => response.writeHead(301, { Location: '/s' }).end() },
    expectProblem(/redirect/),
  ),
  createSite(
    'a truncated sitemap',
    {
      '/s': ({ request: { socket }, origin }) =>
        socket.end(
          `HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n<urlset><url><loc>${origin}/in/1</loc></url>`,
        ),
    },
    expectProblem(/./, (seen) => expect(inSitemap(seen)).toEqual(['/in/1'])),
  ),
];
