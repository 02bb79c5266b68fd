// The result of each status, alone and together with other statements.
import { type Case, html } from './case.ts';

const TARGET = '/status/200';

/** Statuses of error responses without another reason. */
const ERRORS = [201, 204, 206, 300, 304, 400, 401, 403, 405, 418, 451, 500, 502, 503];

/** A page that a response with an error links to. */
const found = (url: string): Case => ({ url, served: { body: html() }, isListed: false, depth: 3 });

export const STATUS_CASES: readonly Case[] = [
  { url: TARGET, served: { body: html() } },
  { url: '/status/200-empty', served: { body: '' } },
  ...ERRORS.map(
    (status): Case => ({
      url: `/status/${status}`,
      served: { status, body: [204, 304].includes(status) ? '' : html() },
      reasons: 'error',
      // A temporary overload, so the client retries.
      ...(status === 503 && { tries: 3 }),
    }),
  ),
  { url: '/status/410', served: { status: 410, body: html() }, reasons: 'not-found' },
  // Not redirects: another status, or no Location.
  { url: '/status/200-location', served: { headers: [['Location', TARGET]], body: html() } },
  {
    url: '/status/300-location',
    served: { status: 300, headers: [['Location', TARGET]] },
    reasons: 'error',
  },
  // All reasons apply, the status first.
  {
    url: '/status/410-header-canonical',
    served: {
      status: 410,
      headers: [
        ['X-Robots-Tag', 'googlebot: none'],
        ['Link', `<${TARGET}>; rel="canonical"`],
      ],
      body: html(),
    },
    noindex: ['header googlebot: none', 'header googlebot: none', '', ''],
    canonical: `other ${TARGET}`,
    reasons: [
      ...(['not-found noindex canonicalised', 'not-found noindex canonicalised'] as const),
      ...(['not-found canonicalised', 'not-found canonicalised'] as const),
    ],
    links: [`canonical ${TARGET}`],
  },
  {
    url: '/status/500-noindex',
    served: { status: 500, headers: [['X-Robots-Tag', 'noindex']], body: html() },
    noindex: 'header *: noindex',
    reasons: 'error noindex',
  },
  {
    url: '/status/404-links',
    served: { status: 404, body: html('', '<a href="/status/linked-by-404">on</a>') },
    reasons: 'not-found',
    links: ['link /status/linked-by-404'],
  },
  found('/status/linked-by-404'),
];
