/**
 * X-Robots-Tag: repeated, in lists, for agents, with dates; and together with tags.
 *
 * @module
 */
import { type ByAgent, type Case, html, reasonIf, type Served } from './case.ts';

/** @param noindex - without the `header` before each. */
function says(
  name: string,
  lines: readonly string[],
  noindex: ByAgent,
  served: Served = { body: html() },
): Case {
  const from = (text: string): string => (text === '' ? '' : `header ${text.replaceAll('; ', '; header ')}`);
  const told: ByAgent =
    typeof noindex === 'string'
      ? from(noindex)
      : [from(noindex[0]), from(noindex[1]), from(noindex[2]), from(noindex[3])];
  return {
    url: `/header/${name}`,
    served: {
      ...served,
      headers: [...(served.headers ?? []), ...lines.map((line) => ['X-Robots-Tag', line] as const)],
    },
    noindex: told,
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
  says('noindex', ['noindex'], '*: noindex'),
  says('none', ['NONE'], '*: NONE'),
  says('all', ['all'], ''),
  says('list', ['nofollow, noindex'], '*: noindex'),
  says('empty', [''], ''),
  says('commas', [', ,noindex,,'], '*: noindex'),
  says('spaces-do-not-separate', ['noindex nofollow'], ''),
  says('unknown', ['noarchive, nocache'], ''),
  says('embedded', ['indexifembedded, noindex'], '*: noindex'),
  // Repeated.
  says('repeated', ['nofollow', 'noindex'], '*: noindex'),
  says('repeated-same', ['noindex', 'noindex'], '*: noindex; *: noindex'),
  says(
    'repeated-agents',
    ['googlebot: noindex', 'bingbot: noindex'],
    [...(['googlebot: noindex', 'googlebot: noindex'] as const), ...(['bingbot: noindex', ''] as const)],
  ),
  says('agent-holds-for-its-line-only', ['otherbot: nofollow', 'noindex'], '*: noindex'),
  // For whom.
  says('google', ['googlebot: noindex'], GOOGLE),
  says('google-case', ['GoogleBot:NOINDEX'], ['googlebot: NOINDEX', 'googlebot: NOINDEX', '', '']),
  says('google-no-space', ['googlebot:noindex'], GOOGLE),
  says('news', ['googlebot-news: noindex'], ['', 'googlebot-news: noindex', '', '']),
  says('example', ['examplebot: none'], ['', '', '', 'examplebot: none']),
  says('nobody-we-know', ['unknown-bot: noindex'], ''),
  says('agent-keeps', ['bingbot: nofollow, noindex'], BING),
  says('google-s-own-example', ['googlebot: nofollow, otherbot: noindex, nofollow'], ''),
  says(
    'agents-in-turn',
    ['googlebot: noindex, bingbot: nofollow, examplebot: none'],
    [...(['googlebot: noindex', 'googlebot: noindex'] as const), ...(['', 'examplebot: none'] as const)],
  ),
  says('general-before-agent', ['noindex, googlebot: nofollow'], '*: noindex'),
  says('agent-after-general', ['nofollow, bingbot: noindex'], BING),
  says('all-for-agents', ['otherbot: all, googlebot: all'], ''),
  // Colons that name nobody.
  says('snippet', ['max-snippet:20, noindex'], '*: noindex'),
  says('previews', ['max-image-preview:large, max-video-preview:-1, max-snippet:-1'], ''),
  says('snippet-of-agent', ['googlebot: max-snippet: 0, noindex'], GOOGLE),
  says('snippet-unreadable', ['max-snippet:many, noindex'], '*: noindex'),
  // Dates.
  says('date-past', [PAST], `*: ${PAST}`),
  says('date-past-then-more', [`${PAST}, nofollow`], `*: ${PAST}`),
  says('date-more-then-past', [`nofollow, ${PAST}`], `*: ${PAST}`),
  says('date-future', ['unavailable_after: Fri, 31 Dec 2199 23:59:59 GMT'], ''),
  says('date-future-then-noindex', ['unavailable_after: Tue, Dec 31, 2199, noindex'], '*: noindex'),
  says(
    'date-google-s-example',
    ['unavailable_after: 25 Jun 2010 15:00:00 PST'],
    '*: unavailable_after: 25 Jun 2010 15:00:00 PST',
  ),
  says('date-of-agent', [`googlebot: ${PAST}`], [`googlebot: ${PAST}`, `googlebot: ${PAST}`, '', '']),
  says(
    'date-of-agent-iso',
    ['examplebot: unavailable_after: 2020-01-31T10:00:00Z, bingbot: nofollow'],
    [...(['', '', ''] as const), 'examplebot: unavailable_after: 2020-01-31T10:00:00Z'],
  ),
  says(
    'date-two',
    ['unavailable_after: 2199-01-01, unavailable_after: 2020-01-01'],
    '*: unavailable_after: 2020-01-01',
  ),
  says('date-none', ['unavailable_after: some day, nofollow'], ''),
  says('date-no-such-day', ['unavailable_after: 31 Feb 2020'], ''),
  // What is no HTML says it in headers alone.
  says('pdf', ['noindex'], '*: noindex', file('application/pdf')),
  says('pdf-without', [], '', file('application/pdf')),
  says('image', ['googlebot: noindex'], GOOGLE, file('image/png')),
  says('text', [], '', file('text/plain; charset=utf-8')),
  says('json', ['nofollow'], '', file('application/json')),
  // Headers and tags are added up.
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
