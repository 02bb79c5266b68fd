/**
 * A site as large as is wanted, made by its numbers: the same at every request.
 *
 * @module
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of the site, until it is closed. */
export interface GeneratedSite {
  readonly origin: string;
  /** Is told each request. */
  onRequest: (target: string) => void;
  /** What broke off once breaks off once more. */
  forget(): void;
  close(): Promise<void>;
}

const ROBOTS_TXT = `User-agent: *
Disallow: /closed/

User-agent: bingbot
Disallow: /closed/
Disallow: /not-bing/

`;
/** URLs in each of the sitemaps. */
const LISTED = 200;

/** The path of a page: what is wrong with it is in its folder. */
function pathOf(number: number): string {
  if (number % 31 === 7) return `/closed/${number}`;
  if (number % 29 === 3) return `/not-bing/${number}`;
  if (number % 23 === 5) return `/moved/${number}`;
  if (number % 19 === 4) return `/gone/${number}`;
  if (number % 17 === 2) return `/noindex/${number}`;
  if (number % 499 === 6) return `/broken/${number}`;
  if (number % 11 === 1) return `/elsewhere/${number}`;
  return `/page/${number}`;
}

/** The pages to which one leads: mostly further ones, each of which has several that lead there, at several depths. */
function linksOf(number: number, pages: number): string[] {
  const numbers = [
    2 * number + 1,
    2 * number + 2,
    (number * 7919 + 13) % pages,
    number - 1,
    Math.floor(number / 3),
  ];
  return numbers.filter((each) => each >= 0 && each < pages).map(pathOf);
}

/** @param pages - those that only sitemaps name come on top. */
export async function startGenerated(pages: number): Promise<GeneratedSite> {
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
        pathOf(10 * (first + index)),
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
    // Once, each of these breaks off.
    if (kind === 'broken' && !tried.has(target)) {
      tried.add(target);
      request.socket.destroy();
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    if (kind === 'moved') response.writeHead(301, { Location: pathOf(number + 1) });
    else if (kind === 'gone') response.writeHead(404);
    else if (kind === 'noindex') response.setHeader('X-Robots-Tag', 'googlebot: noindex');
    const canonical = kind === 'elsewhere' ? `<link rel="canonical" href="${pathOf(number + 2)}">` : '';
    const links = kind === 'moved' || kind === 'listed' ? [] : linksOf(number, pages);
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
