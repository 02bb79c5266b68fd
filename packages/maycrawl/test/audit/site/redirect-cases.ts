// Redirects: each status, chains, loops, missing, external and disallowed targets; and an instant refresh, which is a redirect.
import { type Case, html } from './case.ts';
import { closed } from './robots-cases.ts';

const END = '/redirect/end';
const OTHER_HOST = 'http://elsewhere.example/page';

/** Creates a redirect to the URL `to`. */
function createRedirect(
  name: string,
  status: number,
  location: string,
  to: string,
  expected: Partial<Case> = {},
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
  createRedirect('fragment', 301, `${END}#part`, END),
  createRedirect('other-host', 301, OTHER_HOST, OTHER_HOST),
  { url: OTHER_HOST, served: null, state: 'outside', isTarget: true, isListed: false },
  // No target.
  lost('without-location', null),
  lost('mail', 'mailto:a@example.com'),
  lost('no-url', 'http://[::1'),
  // Chains, from each of their steps.
  createRedirect('to-404', 301, '/redirect/missing', '/redirect/missing'),
  { url: '/redirect/missing', served: { status: 404 }, reasons: 'not-found', isListed: false, depth: 3 },
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
  closed('/closed/only-redirected', { isListed: false, depth: 3 }),
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
    maskedReasons: ['redirect', 'redirect', '', ''],
  },
  // With other statements next to the redirect, all reasons apply.
  createRedirect('noindex', 301, END, END, {
    served: { status: 301, headers: Object.entries({ Location: END, 'X-Robots-Tag': 'bingbot: noindex' }) },
    noindex: ['', '', 'header bingbot: noindex', ''],
    reasons: ['redirect', 'redirect', 'redirect noindex', 'redirect'],
  }),
  // An instant refresh is a redirect. A refresh after a delay is not: the page stays indexable.
  {
    url: '/redirect/refresh',
    served: { body: html(`<meta http-equiv="refresh" content="0; url=end">`) },
    links: [`redirect ${END}`, `refresh ${END}`],
    redirects: `200 ${END}`,
    reasons: 'redirect',
  },
  {
    url: '/redirect/refresh-header',
    served: { headers: [['Refresh', `5;url=${END}`]], body: html() },
    links: [`refresh ${END}`],
  },
];
