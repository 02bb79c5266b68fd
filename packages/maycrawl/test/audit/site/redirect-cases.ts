/**
 * Redirects: each status, chains, loops, missing, external and disallowed targets; and refresh, which is not a redirect.
 *
 * @module
 */
import { type ByAgent, type Case, html } from './case.ts';

const END = '/redirect/end';
const OTHER_HOST = 'http://elsewhere.example/page';

interface Expected {
  readonly redirects?: ByAgent;
  readonly links?: readonly string[];
  readonly isListed?: boolean;
  readonly depth?: number;
}

/** Creates a redirect to the URL `to`. */
function createRedirect(
  name: string,
  status: number,
  location: string,
  to: string,
  expected: Expected = {},
): Case {
  return {
    url: `/redirect/${name}`,
    served: { status, headers: [['Location', location]] },
    redirects: `${status} ${to}`,
    reasons: 'redirect',
    links: [`redirect ${to}`],
    ...expected,
  };
}

const lost = (name: string, location: string | null): Case => ({
  url: `/redirect/${name}`,
  served: { status: 301, headers: location === null ? [] : [['Location', location]], body: html() },
  reasons: 'error',
});

const hops = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `302 /redirect/hop-${from + index + 1}`).join(', ');

export const REDIRECT_CASES: readonly Case[] = [
  { url: END, served: { body: html() } },
  ...[301, 302, 303, 307, 308].map((status) => createRedirect(String(status), status, END, END)),
  // Every form of the target.
  createRedirect('absolute', 301, `{origin}${END}`, END),
  createRedirect('relative', 301, 'end', END),
  createRedirect('dots', 302, '../redirect/./x/../end', END),
  createRedirect('fragment', 301, `${END}#part`, END),
  createRedirect('query', 301, `${END}?a=1&b`, `${END}?a=1&b`),
  createRedirect('only-query', 301, '?x', '/redirect/only-query?x'),
  createRedirect('empty-query', 301, `${END}?`, `${END}?`),
  createRedirect('hex', 301, '/redirect/%c3%a9', '/redirect/%C3%A9'),
  createRedirect('space', 301, '/redirect/with space', '/redirect/with%20space'),
  createRedirect('backslash', 301, '\\redirect\\end', END),
  createRedirect('other-host', 301, OTHER_HOST, OTHER_HOST),
  createRedirect('no-scheme', 302, '//elsewhere.example/page', OTHER_HOST),
  createRedirect('to-https', 301, 'https://elsewhere.example/', 'https://elsewhere.example/'),
  ...[`${END}?a=1&b`, `${END}?`, '/redirect/%C3%A9', '/redirect/with%20space', '/redirect/only-query?x'].map(
    (url): Case => ({ url, served: { body: html() }, isListed: false, depth: 3 }),
  ),
  { url: OTHER_HOST, served: null, state: 'outside', isTarget: true, isListed: false },
  { url: 'https://elsewhere.example/', served: null, state: 'outside', isTarget: true, isListed: false },
  // No target.
  lost('without-location', null),
  lost('mail', 'mailto:a@example.com'),
  lost('ftp', 'ftp://elsewhere.example/'),
  lost('script', 'javascript:void(0)'),
  lost('no-url', 'http://[::1'),
  lost('no-port', 'http://elsewhere.example:99999/'),
  // Chains, from each of their steps.
  createRedirect('two', 301, '301', '/redirect/301', { redirects: `301 /redirect/301, 301 ${END}` }),
  createRedirect('to-404', 301, '/redirect/missing', '/redirect/missing'),
  {
    url: '/redirect/missing',
    served: { status: 404 },
    reasons: 'not-found',
    isListed: false,
    depth: 3,
  },
  createRedirect('to-lost', 302, 'mail', '/redirect/mail'),
  createRedirect('to-other-host', 302, 'other-host', '/redirect/other-host', {
    redirects: `302 /redirect/other-host, 301 ${OTHER_HOST}`,
  }),
  ...Array.from({ length: 8 }, (_, index) =>
    createRedirect(`hop-${index}`, 302, `hop-${index + 1}`, `/redirect/hop-${index + 1}`, {
      redirects: hops(index, 7),
      isListed: index === 0,
      depth: 2 + index,
    }),
  ),
  { url: '/redirect/hop-8', served: { body: html() }, isListed: false, depth: 10 },
  // Loops: each step once.
  createRedirect('self', 301, 'self', '/redirect/self'),
  createRedirect('itself', 302, '', '/redirect/itself'),
  createRedirect('self-fragment', 301, '#again', '/redirect/self-fragment'),
  createRedirect('to-self', 301, 'self', '/redirect/self', {
    redirects: '301 /redirect/self, 301 /redirect/self',
  }),
  createRedirect('loop-a', 301, 'loop-b', '/redirect/loop-b', {
    redirects: '301 /redirect/loop-b, 302 /redirect/loop-c, 308 /redirect/loop-a',
  }),
  createRedirect('loop-b', 302, 'loop-c', '/redirect/loop-c', {
    redirects: '302 /redirect/loop-c, 308 /redirect/loop-a, 301 /redirect/loop-b',
    isListed: false,
    depth: 3,
  }),
  createRedirect('loop-c', 308, 'loop-a', '/redirect/loop-a', {
    redirects: '308 /redirect/loop-a, 301 /redirect/loop-b, 302 /redirect/loop-c',
    isListed: false,
    depth: 4,
  }),
  // A crawler does not follow redirects beyond a disallowed URL.
  createRedirect('to-closed', 301, '/closed/only-redirected', '/closed/only-redirected'),
  {
    url: '/closed/only-redirected',
    served: { body: html() },
    state: 'blocked',
    isListed: false,
    depth: 3,
    crawl: ['-9', '-9', '-18', '-3'],
    reasons: 'blocked',
  },
  createRedirect('to-not-google', 301, '/not-google/hop', '/not-google/hop', {
    redirects: [
      ...(['301 /not-google/hop', '301 /not-google/hop'] as const),
      ...([`301 /not-google/hop, 302 ${END}`, `301 /not-google/hop, 302 ${END}`] as const),
    ],
  }),
  {
    ...createRedirect('', 302, END, END),
    ...{ url: '/not-google/hop', isListed: false, depth: 3 },
    crawl: ['-10', '-10', '+0', '+33'],
    reasons: ['blocked', 'blocked', 'redirect', 'redirect'],
    hidden: ['redirect', 'redirect', '', ''],
  },
  // With other statements next to the redirect, all reasons apply.
  {
    url: '/redirect/noindex',
    served: {
      status: 301,
      headers: [
        ['Location', END],
        ['X-Robots-Tag', 'bingbot: noindex'],
      ],
    },
    redirects: `301 ${END}`,
    noindex: ['', '', 'header bingbot: noindex', ''],
    reasons: ['redirect', 'redirect', 'redirect noindex', 'redirect'],
    links: [`redirect ${END}`],
  },
  // A refresh is not a redirect: the page counts as a page.
  {
    url: '/redirect/refresh',
    served: { body: html(`<meta http-equiv="refresh" content="0; url=end">`) },
    links: [`refresh ${END}`],
  },
  {
    url: '/redirect/refresh-header',
    served: { headers: [['Refresh', `5;url=${END}`]], body: html() },
    links: [`refresh ${END}`],
  },
  {
    url: '/redirect/refresh-itself',
    served: { body: html('<META HTTP-EQUIV=Refresh CONTENT="300">') },
    links: [],
  },
  {
    url: '/redirect/refresh-noindex',
    served: {
      body: html('<meta name="robots" content="noindex"><meta http-equiv="refresh" content="1;URL=\'end\'">'),
    },
    noindex: 'meta *: noindex',
    reasons: 'noindex',
    links: [`refresh ${END}`],
  },
  {
    url: '/redirect/refresh-in-noscript',
    served: { body: html('<noscript><meta http-equiv="refresh" content="0;url=/never"></noscript>') },
    links: [],
  },
];
