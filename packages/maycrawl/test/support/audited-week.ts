// Days of a site that is audited every day: what it sends, and the events that its owner gets.
import type { ServerResponse } from 'node:http';
import { html } from './audit-runs.ts';

const BLOG = Array.from({ length: 10 }, (_, index) => `/blog/${index}`);
const SHOP = Array.from({ length: 5 }, (_, index) => `/shop/${index}`);
const PAGES: readonly string[] = ['/', '/about', '/blog/', '/shop/', ...BLOG, ...SHOP];
const LINKS: Readonly<Record<string, readonly string[]>> = {
  '/': ['/about', '/blog/', '/shop/'],
  '/blog/': BLOG,
  '/shop/': SHOP,
};

/** What the site sends. */
export interface AuditedState {
  readonly name: string;
  readonly robots?: string | number;
  /** The status and headers of some pages; others respond with 200. */
  readonly respond?: (path: string, count: number) => PageResponse | undefined;
  /** Further links of the home page. */
  readonly links?: readonly string[];
  /** The expected events, in order. */
  readonly events: readonly (readonly [severity: string, kind: string, title: string])[];
}

interface PageResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly head?: string;
  readonly links?: readonly string[];
}

const on =
  (folder: string, response: PageResponse): NonNullable<AuditedState['respond']> =>
  (path) =>
    path.startsWith(folder) ? response : undefined;

/** The states, one a day. */
export const WEEK: readonly AuditedState[] = [
  {
    name: 'the first audit',
    events: [
      ['info', 'audit-first', 'audited from now on: 19 of 19 URLs are indexable for Googlebot and GPTBot'],
    ],
  },
  { name: 'no change', events: [] },
  {
    name: 'noindex from a header',
    respond: on('/blog/', { headers: { 'x-robots-tag': 'noindex' } }),
    events: [
      [
        'error',
        'not-indexable',
        '11 URLs on /blog/ are not indexable for Googlebot and GPTBot since November 2: noindex from a header',
      ],
    ],
  },
  {
    name: 'its end',
    events: [
      [
        'info',
        'indexable',
        '11 URLs on /blog/ are indexable now for Googlebot and GPTBot since November 3: before, noindex from a header',
      ],
    ],
  },
  {
    name: 'robots.txt blocks a folder',
    robots: 'User-agent: GPTBot\nDisallow: /shop/\n\nUser-agent: *\nDisallow: /shop/3\n',
    events: [
      [
        'error',
        'not-indexable',
        '6 URLs on /shop/ are not indexable for GPTBot since November 4: robots.txt, line 2 (Disallow: /shop/)',
      ],
      [
        'warning',
        'not-indexable',
        '/shop/3 is not indexable for Googlebot since November 4: robots.txt, line 5 (Disallow: /shop/3)',
      ],
    ],
  },
  {
    name: 'the server is down',
    robots: 503,
    respond: () => ({ status: 503 }),
    events: [
      [
        'warning',
        'audit-incomplete',
        'the audit could not finish: robots.txt cannot be fetched (status 503), so no page was fetched',
      ],
    ],
  },
  { name: 'it is still down', robots: 503, respond: () => ({ status: 503 }), events: [] },
  {
    name: 'it is up again, with the old robots.txt',
    events: [
      [
        'info',
        'indexable',
        '6 URLs on /shop/ are indexable now for GPTBot since November 5: before, robots.txt, line 2 (Disallow: /shop/)',
      ],
      [
        'info',
        'indexable',
        '/shop/3 is indexable now for Googlebot since November 5: before, robots.txt, line 5 (Disallow: /shop/3)',
      ],
      [
        'info',
        'audit-complete',
        'the audit is complete again: 19 of 19 URLs are indexable for Googlebot and GPTBot',
      ],
    ],
  },
  {
    name: 'most pages fail, and robots.txt does not',
    respond: (path) =>
      path === '/' || path === '/about' ? undefined : { status: 500, links: LINKS[path] ?? [] },
    events: [
      [
        'warning',
        'audit-incomplete',
        'the audit could not finish: the server fails for 17 of 19 URLs that were indexable for Googlebot: status 500',
      ],
    ],
  },
  {
    name: 'a deployment: pages fail once',
    respond: (path, count) => (path.startsWith('/blog/') && count === 1 ? { status: 502 } : undefined),
    events: [
      [
        'info',
        'audit-complete',
        'the audit is complete again: 19 of 19 URLs are indexable for Googlebot and GPTBot',
      ],
    ],
  },
  {
    name: 'one page is missing, and another folder redirects to another site',
    respond: (path) => {
      if (path === '/blog/3') return { status: 404 };
      return path.startsWith('/shop/') && path !== '/shop/'
        ? { status: 301, headers: { location: 'http://localhost:9/' } }
        : undefined;
    },
    events: [
      [
        'error',
        'not-indexable',
        '5 URLs on /shop/ are not indexable for Googlebot and GPTBot since November 10: status 301, a redirect to http://localhost:9/',
      ],
      [
        'warning',
        'not-indexable',
        '/blog/3 is not indexable for Googlebot and GPTBot since November 10: status 404',
      ],
    ],
  },
  {
    name: 'links are gone, and a new page redirects to itself',
    respond: (path) => {
      if (path === '/blog/') return { links: BLOG.slice(2) };
      return path === '/loop' ? { status: 302, headers: { location: '/loop' } } : undefined;
    },
    links: ['/loop'],
    events: [
      [
        'warning',
        'unlinked',
        '2 URLs on /blog/ are no longer found by links or sitemaps for Googlebot and GPTBot since November 11',
      ],
      [
        'warning',
        'finding',
        'new since November 11, on /: 1 redirect leads into a loop for Googlebot and GPTBot',
      ],
      [
        'info',
        'indexable',
        '5 URLs on /shop/ are indexable now for Googlebot and GPTBot since November 11: before, status 301, a redirect to http://localhost:9/',
      ],
      [
        'info',
        'indexable',
        '/blog/3 is indexable now for Googlebot and GPTBot since November 11: before, status 404',
      ],
    ],
  },
  {
    name: 'the loop is gone, and the home page has a canonical',
    respond: (path) => (path === '/' ? { head: '<link rel="canonical" href="/about">' } : undefined),
    events: [
      [
        'error',
        'not-indexable',
        '/ is not indexable for Googlebot and GPTBot since November 12: a canonical to SITE/about from a link element',
      ],
      [
        'info',
        'finding-fixed',
        'fixed since November 12, on /: 1 redirect leads into a loop for Googlebot and GPTBot',
      ],
      [
        'info',
        'linked',
        '2 URLs on /blog/ are found by links or sitemaps again for Googlebot and GPTBot since November 12',
      ],
    ],
  },
];

/** Sends a response. @param count - of requests for this path on this day. */
export function sendDay(state: AuditedState, path: string, count: number, reply: ServerResponse): void {
  if (path === '/robots.txt') {
    const { robots = '' } = state;
    if (typeof robots === 'number') reply.writeHead(robots).end();
    else reply.end(robots);
    return;
  }
  const response = state.respond?.(path, count);
  if (response === undefined && !PAGES.includes(path)) {
    reply.writeHead(404).end();
    return;
  }
  const { status = 200, headers = {}, head = '', links = LINKS[path] ?? [] } = response ?? {};
  reply.writeHead(status, { 'content-type': 'text/html', ...headers });
  reply.end(html(`Page ${path}`, path === '/' ? [...links, ...(state.links ?? [])] : links, head));
}
