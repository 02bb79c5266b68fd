/**
 * X-Robots-Tag: repeated, in lists, for agents, with dates, and together with meta tags.
 *
 * @module
 */
import { type ByAgent, type Case, html, reasonIf, type Served } from './case.ts';

/** @param noindex - each directive without the prefix `header`. */
function createCase(
  name: string,
  lines: readonly string[],
  noindex: ByAgent,
  served: Served = { body: html() },
): Case {
  const from = (text: string): string => (text === '' ? '' : `header ${text.replaceAll('; ', '; header ')}`);
  const expected: ByAgent =
    typeof noindex === 'string'
      ? from(noindex)
      : [from(noindex[0]), from(noindex[1]), from(noindex[2]), from(noindex[3])];
  return {
    url: `/header/${name}`,
    served: {
      ...served,
      headers: [...(served.headers ?? []), ...lines.map((line) => ['X-Robots-Tag', line] as const)],
    },
    noindex: expected,
    reasons: reasonIf('noindex', noindex),
  };
}

const GOOGLE: ByAgent = ['googlebot: noindex', 'googlebot: noindex', '', ''];
const BING: ByAgent = ['', '', 'bingbot: noindex', ''];
const PAST = 'unavailable_after: Tuesday, 21 Jul 2020 15:00:00 GMT';

const file = (type: string): Served => ({
  headers: [['Content-Type', type]],
  body: '<meta name="robots" content="none">%PDF',
});

export const HEADER_CASES: readonly Case[] = [
  createCase('noindex', ['noindex'], '*: noindex'),
  createCase('none', ['NONE'], '*: NONE'),
  createCase('all', ['all'], ''),
  createCase('list', ['nofollow, noindex'], '*: noindex'),
  createCase('empty', [''], ''),
  createCase('commas', [', ,noindex,,'], '*: noindex'),
  createCase('spaces-do-not-separate', ['noindex nofollow'], ''),
  createCase('unknown', ['noarchive, nocache'], ''),
  createCase('embedded', ['indexifembedded, noindex'], '*: noindex'),
  // Repeated.
  createCase('repeated', ['nofollow', 'noindex'], '*: noindex'),
  createCase('repeated-same', ['noindex', 'noindex'], '*: noindex'),
  createCase(
    'repeated-agents',
    ['googlebot: noindex', 'bingbot: noindex'],
    [...(['googlebot: noindex', 'googlebot: noindex'] as const), ...(['bingbot: noindex', ''] as const)],
  ),
  createCase('agent-applies-to-its-line-only', ['otherbot: nofollow', 'noindex'], '*: noindex'),
  // Agents.
  createCase('google', ['googlebot: noindex'], GOOGLE),
  createCase('google-case', ['GoogleBot:NOINDEX'], ['googlebot: NOINDEX', 'googlebot: NOINDEX', '', '']),
  createCase('google-no-space', ['googlebot:noindex'], GOOGLE),
  createCase('google-news', ['googlebot-news: noindex'], ['', 'googlebot-news: noindex', '', '']),
  createCase('example', ['examplebot: none'], ['', '', '', 'examplebot: none']),
  createCase('unknown-agent', ['unknown-bot: noindex'], ''),
  createCase('agent-keeps', ['bingbot: nofollow, noindex'], BING),
  createCase('google-s-own-example', ['googlebot: nofollow, otherbot: noindex, nofollow'], ''),
  createCase(
    'agents-in-turn',
    ['googlebot: noindex, bingbot: nofollow, examplebot: none'],
    [...(['googlebot: noindex', 'googlebot: noindex'] as const), ...(['', 'examplebot: none'] as const)],
  ),
  createCase('general-before-agent', ['noindex, googlebot: nofollow'], '*: noindex'),
  createCase('agent-after-general', ['nofollow, bingbot: noindex'], BING),
  createCase('all-for-agents', ['otherbot: all, googlebot: all'], ''),
  // Colons without an agent.
  createCase('snippet', ['max-snippet:20, noindex'], '*: noindex'),
  createCase('previews', ['max-image-preview:large, max-video-preview:-1, max-snippet:-1'], ''),
  createCase('snippet-of-agent', ['googlebot: max-snippet: 0, noindex'], GOOGLE),
  createCase('snippet-unreadable', ['max-snippet:many, noindex'], '*: noindex'),
  // Dates.
  createCase('date-past', [PAST], `*: ${PAST}`),
  createCase('date-past-then-more', [`${PAST}, nofollow`], `*: ${PAST}`),
  createCase('date-more-then-past', [`nofollow, ${PAST}`], `*: ${PAST}`),
  createCase('date-future', ['unavailable_after: Fri, 31 Dec 2199 23:59:59 GMT'], ''),
  createCase('date-future-then-noindex', ['unavailable_after: Tue, Dec 31, 2199, noindex'], '*: noindex'),
  createCase(
    'date-google-s-example',
    ['unavailable_after: 25 Jun 2010 15:00:00 PST'],
    '*: unavailable_after: 25 Jun 2010 15:00:00 PST',
  ),
  createCase('date-of-agent', [`googlebot: ${PAST}`], [`googlebot: ${PAST}`, `googlebot: ${PAST}`, '', '']),
  createCase(
    'date-of-agent-iso',
    ['examplebot: unavailable_after: 2020-01-31T10:00:00Z, bingbot: nofollow'],
    [...(['', '', ''] as const), 'examplebot: unavailable_after: 2020-01-31T10:00:00Z'],
  ),
  createCase(
    'date-two',
    ['unavailable_after: 2199-01-01, unavailable_after: 2020-01-01'],
    '*: unavailable_after: 2020-01-01',
  ),
  createCase('date-none', ['unavailable_after: some day, nofollow'], ''),
  createCase('date-no-such-day', ['unavailable_after: 31 Feb 2020'], ''),
  // Other types than HTML have directives in headers only.
  createCase('pdf', ['noindex'], '*: noindex', file('application/pdf')),
  createCase('pdf-without', [], '', file('application/pdf')),
  createCase('image', ['googlebot: noindex'], GOOGLE, file('image/png')),
  createCase('text', [], '', file('text/plain; charset=utf-8')),
  createCase('json', ['nofollow'], '', file('application/json')),
  // Headers and tags are combined.
  {
    url: '/header/with-tag',
    served: {
      headers: [['X-Robots-Tag', 'noindex']],
      body: html('<meta name="bingbot" content="none"><meta name="googlebot" content="all">'),
    },
    noindex: [
      'header *: noindex',
      'header *: noindex',
      'header *: noindex; meta bingbot: none',
      'header *: noindex',
    ],
    reasons: 'noindex',
  },
  {
    url: '/header/each-for-another',
    served: {
      headers: [['x-robots-tag', 'googlebot: noindex']],
      body: html('<meta name="bingbot" content="noindex">'),
    },
    noindex: ['header googlebot: noindex', 'header googlebot: noindex', 'meta bingbot: noindex', ''],
    reasons: ['noindex', 'noindex', 'noindex', ''],
  },
];
