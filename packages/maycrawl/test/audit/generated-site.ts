// A generated site of any size, with the same pages in every request.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running server of the site. */
export interface GeneratedSite {
  readonly origin: string;
  /** Receives each request. */
  onRequest: (target: string) => void;
  /** Makes the pages that fail once fail once more. */
  forget(): void;
  close(): Promise<void>;
}

const ROBOTS_TXT = `User-agent: *
Disallow: /closed/

User-agent: bingbot
Disallow: /closed/
Disallow: /not-bing/

`;
/** The number of URLs in each sitemap. */
const LISTED = 200;

/** Returns the path of a page. Its folder names the kind of the page. */
function getPath(number: number): string {
  if (number % 31 === 7) return `/closed/${number}`;
  if (number % 29 === 3) return `/not-bing/${number}`;
  if (number % 23 === 5) return `/moved/${number}`;
  if (number % 19 === 4) return `/gone/${number}`;
  if (number % 17 === 2) return `/noindex/${number}`;
  if (number % 499 === 6) return `/broken/${number}`;
  if (number % 11 === 1) return `/elsewhere/${number}`;
  return `/page/${number}`;
}

/** Returns the links of a page: mostly to later pages, so that each page has several links to it from several depths. */
function getLinks(number: number, pages: number): string[] {
  const numbers = [
    2 * number + 1,
    2 * number + 2,
    (number * 7919 + 13) % pages,
    number - 1,
    Math.floor(number / 3),
  ];
  return numbers.filter((each) => each >= 0 && each < pages).map(getPath);
}

/** @param pages - the number of pages, without those that only sitemaps name. */
export async function startGeneratedSite(pages: number): Promise<GeneratedSite> {
  const tried = new Set<string>();
  const sitemaps = Math.ceil(pages / 10 / LISTED);
  let origin = '';
  const site: GeneratedSite = {
    origin,
    onRequest: () => {},
    forget: () => tried.clear(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    const target = request.url ?? '';
    site.onRequest(target);
    if (target === '/robots.txt') {
      const lines = Array.from({ length: sitemaps }, (_, index) => `Sitemap: ${origin}/sitemap-${index}.txt`);
      response.end(ROBOTS_TXT + lines.join('\n'));
      return;
    }
    const sitemap = Number(/^\/sitemap-(\d+)\.txt$/.exec(target)?.[1] ?? -1);
    if (sitemap >= 0) {
      const first = sitemap * LISTED;
      const paths = Array.from({ length: LISTED }, (_, index) => [
        `/listed/${first + index}`,
        getPath(10 * (first + index)),
      ]);
      response.end(
        paths
          .flat()
          .map((path) => `${origin}${path}`)
          .join('\n'),
      );
      return;
    }
    const [, kind, digits] = /^\/([a-z-]*)\/?(\d*)$/.exec(target) ?? [];
    const number = Number(digits ?? 0);
    // The first response of each of these is truncated.
    if (kind === 'broken' && !tried.has(target)) {
      tried.add(target);
      request.socket.destroy();
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    if (kind === 'moved') response.writeHead(301, { Location: getPath(number + 1) });
    else if (kind === 'gone') response.writeHead(404);
    else if (kind === 'noindex') response.setHeader('X-Robots-Tag', 'googlebot: noindex');
    const canonical = kind === 'elsewhere' ? `<link rel="canonical" href="${getPath(number + 2)}">` : '';
    const links = kind === 'moved' || kind === 'listed' ? [] : getLinks(number, pages);
    const anchors = links.map(
      (path, index) => `<a href="${path}"${index === 4 ? ' rel="nofollow"' : ''}>a</a>`,
    );
    response.end(`<!doctype html><title>${target}</title>${canonical}<p>${anchors.join('')}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(site, { origin });
  return site;
}
