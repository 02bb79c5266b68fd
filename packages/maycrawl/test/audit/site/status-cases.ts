/**
 * The result of each status, alone and together with other statements.
 *
 * @module
 */
import { type Case, html } from './case.ts';

const TARGET = '/status/200';

/** Statuses of error responses without another reason. */
const ERRORS = [
  ...[
    201, 202, 203, 204, 206, 300, 304, 305, 306, 400, 401, 402, 403, 405, 406, 409, 412, 414, 418, 421, 451,
  ],
  ...[500, 501, 502, 503, 504, 511],
];

export const STATUS_CASES: readonly Case[] = [
  { url: TARGET, served: { body: html() } },
  ...ERRORS.map(
    (status): Case => ({
      url: `/status/${status}`,
      served: { status, body: [204, 304].includes(status) ? '' : html() },
      reasons: 'error',
      // A temporary overload, so the client retries.
      ...(status === 503 && { tries: 3 }),
    }),
  ),
  ...[404, 410].map(
    (status): Case => ({
      url: `/status/${status}`,
      served: { status, body: html() },
      reasons: 'not-found',
    }),
  ),
  // Not redirects: another status, or no Location.
  { url: '/status/200-location', served: { headers: [['Location', TARGET]], body: html() } },
  ...[201, 300, 304, 305].map(
    (status): Case => ({
      url: `/status/${status}-location`,
      served: { status, headers: [['Location', TARGET]] },
      reasons: 'error',
    }),
  ),
  {
    url: '/status/404-location',
    served: { status: 404, headers: [['Location', TARGET]], body: html() },
    reasons: 'not-found',
  },
  // All reasons apply, the status first.
  {
    url: '/status/404-noindex',
    served: { status: 404, body: html('<meta name="robots" content="noindex">') },
    noindex: 'meta *: noindex',
    reasons: 'not-found noindex',
  },
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
    url: '/status/403-canonical',
    served: { status: 403, body: html(`<link rel=canonical href="${TARGET}">`) },
    canonical: `other ${TARGET}`,
    reasons: 'error canonicalised',
    links: [`canonical ${TARGET}`],
  },
  {
    url: '/status/500-noindex',
    served: { status: 500, headers: [['X-Robots-Tag', 'noindex']], body: html() },
    noindex: 'header *: noindex',
    reasons: 'error noindex',
  },
  {
    url: '/status/401-links',
    served: { status: 401, body: html('', '<a href="/status/linked-by-401">on</a>') },
    reasons: 'error',
    links: ['link /status/linked-by-401'],
  },
  { url: '/status/linked-by-401', served: { body: html() }, isListed: false, depth: 3 },
  {
    url: '/status/404-links',
    served: { status: 404, body: html('', '<a href="/status/linked-by-404">on</a>') },
    reasons: 'not-found',
    links: ['link /status/linked-by-404'],
  },
  { url: '/status/linked-by-404', served: { body: html() }, isListed: false, depth: 3 },
  // An empty page.
  { url: '/status/200-empty', served: { body: '' } },
];
