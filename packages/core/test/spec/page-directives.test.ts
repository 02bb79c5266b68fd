import { describe, expect, test } from 'vitest';
import type { Directive } from '../../src/indexability.ts';
import { parseDirectives, parseRobotsHeader } from '../support/directives.ts';

const G = 'Google, robots meta tag';
const RFC822 = 'RFC 822';
const RFC850 = 'RFC 850';
const ISO = 'ISO 8601';

/** Formats a directive as its kind and value. */
function format(directive: Directive): string {
  switch (directive.kind) {
    case 'max-snippet':
    case 'max-video-preview':
      return `${directive.kind}=${directive.limit}`;
    case 'max-image-preview':
      return `${directive.kind}=${directive.size}`;
    case 'unavailable_after':
      return `until ${new Date(directive.date).toISOString().replace('.000', '')}`;
    case 'unknown':
      return `? ${directive.text}`;
    default:
      return directive.kind;
  }
}

/** id, source, content of a meta tag, directives. */
const CONTENTS = [
  ['all', G, 'all', ['all']],
  ['noindex', G, 'noindex', ['noindex']],
  ['nofollow', G, 'nofollow', ['nofollow']],
  ['none', G, 'none', ['none']],
  ['nosnippet', G, 'nosnippet', ['nosnippet']],
  ['indexifembedded', G, 'noindex,indexifembedded', ['noindex', 'indexifembedded']],
  ['notranslate', G, 'notranslate', ['notranslate']],
  ['noimageindex', G, 'noimageindex', ['noimageindex']],
  ['max-snippet', G, 'max-snippet:20', ['max-snippet=20']],
  ['max-snippet 0', G, 'max-snippet:0', ['max-snippet=0']],
  ['max-snippet without limit', G, 'max-snippet:-1', ['max-snippet=-1']],
  ['max-snippet that is not a number', G, 'max-snippet:many', ['? max-snippet:many']],
  ['max-snippet with a fraction', G, 'max-snippet:2.5', ['? max-snippet:2.5']],
  ['max-snippet below -1', G, 'max-snippet:-2', ['? max-snippet:-2']],
  ['max-snippet without a value', G, 'max-snippet', ['? max-snippet']],
  ['max-video-preview', G, 'max-video-preview:-1', ['max-video-preview=-1']],
  ['max-image-preview', G, 'max-image-preview:standard', ['max-image-preview=standard']],
  ['max-image-preview in upper case', G, 'MAX-IMAGE-PREVIEW: Large', ['max-image-preview=large']],
  ['max-image-preview with an unknown value', G, 'max-image-preview:huge', ['? max-image-preview:huge']],
  [
    'a combination',
    G,
    'max-snippet:20, max-image-preview:large',
    ['max-snippet=20', 'max-image-preview=large'],
  ],
  ['mixed case', G, 'NoIndex, NOFOLLOW', ['noindex', 'nofollow']],
  ['white space', G, ' \n noindex ,\tnofollow ', ['noindex', 'nofollow']],
  ['white space around a colon', G, 'max-snippet : 5', ['max-snippet=5']],
  ['empty list elements', G, ',,noindex,,', ['noindex']],
  ['empty content', G, '', []],
  [
    'unknown directives are returned',
    G,
    'noindex, noarchive, foo:bar',
    ['noindex', '? noarchive', '? foo:bar'],
  ],
  ['index and follow are not directives', G, 'index, follow', ['? index', '? follow']],
  ['white space does not separate', G, 'noindex nofollow', ['? noindex nofollow']],
  ['a value for a directive without values', G, 'noindex: yes', ['? noindex: yes']],
  ['a meta tag has no agent prefixes', G, 'googlebot: noindex', ['? googlebot: noindex']],
  ['directives as part of a word', G, 'noindexes, xnoindex', ['? noindexes', '? xnoindex']],
] as const;

describe('parseDirectives', () => {
  test.each(CONTENTS)('%s (%s): %s', (_id, _source, content, expected) => {
    expect(parseDirectives(content).map(format)).toEqual(expected);
  });
});

/** id, source, date, the date in UTC; `null` if it is not a date. */
const DATES = [
  ['date and time zone', RFC822, '25 Jun 2010 15:00:00 PST', '2010-06-25T23:00:00Z'],
  ['weekday', RFC822, 'Tue, 21 Jul 2020 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['full weekday name', RFC822, 'Tuesday, 21 Jul 2020 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['two-digit year', RFC822, '21 Jul 20 15:00 UT', '2020-07-21T15:00:00Z'],
  ['offset', RFC822, '21 Jul 2020 15:00:00 +0200', '2020-07-21T13:00:00Z'],
  ['negative offset', RFC822, '21 Jul 2020 15:00:00 -0330', '2020-07-21T18:30:00Z'],
  ['daylight saving time', RFC822, '21 Jul 2020 15:00:00 EDT', '2020-07-21T19:00:00Z'],
  ['hyphens', RFC850, 'Tuesday, 21-Jul-20 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['hyphens, no weekday', RFC850, '25-Aug-2007 15:00:00 EST', '2007-08-25T20:00:00Z'],
  ['two-digit year before 2000', RFC850, 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['date only', ISO, '2020-07-21', '2020-07-21T00:00:00Z'],
  ['UTC', ISO, '2020-07-21T15:00:00Z', '2020-07-21T15:00:00Z'],
  ['offset with a colon', ISO, '2020-07-21T15:00:00+02:00', '2020-07-21T13:00:00Z'],
  ['no time zone', ISO, '2020-07-21T15:00', '2020-07-21T15:00:00Z'],
  ['fractions of a second', ISO, '2020-07-21T15:00:00.999Z', '2020-07-21T15:00:00Z'],
  ['basic format', ISO, '20200721T150000Z', '2020-07-21T15:00:00Z'],
  ['a space instead of T', ISO, '2020-07-21 15:00:00', '2020-07-21T15:00:00Z'],
  ['month first', 'common', 'July 21, 2020', '2020-07-21T00:00:00Z'],
  ['output of asctime', 'C', 'Tue Jul 21 15:00:00 2020', '2020-07-21T15:00:00Z'],
  ['a comma before the time', 'common', '21 Jul 2020, 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['leap day', ISO, '2020-02-29', '2020-02-29T00:00:00Z'],
  ['leap day in a common year', ISO, '2021-02-29', null],
  ['invalid month number', ISO, '2020-13-01', null],
  ['invalid month name', RFC822, '21 Jux 2020', null],
  ['invalid hour', ISO, '2020-07-21T25:00Z', null],
  ['a time zone of Europe', RFC822, '21 Jul 2020 15:00:00 CET', '2020-07-21T14:00:00Z'],
  ['a time zone of half an hour', RFC822, '21 Jul 2020 15:00:00 IST', '2020-07-21T09:30:00Z'],
  ['unlisted time zone', RFC822, '21 Jul 2020 15:00:00 ABCD', '2020-07-21T15:00:00Z'],
  ['unlisted time zone with an offset', RFC822, '21 Jul 2020 15:00:00 ABCD+0200', '2020-07-21T13:00:00Z'],
  ['military time zone', 'RFC 5322', '21 Jul 2020 15:00:00 A', '2020-07-21T15:00:00Z'],
  ['military time zone after T', 'RFC 5322', '2020-07-21T15:00N', '2020-07-21T15:00:00Z'],
  ['name of an object property as time zone', RFC822, '21 Jul 2020 15:00 constructor', null],
  ['a zone with an offset from it', RFC822, '21 Jul 2020 15:00:00 EST+1', null],
  ['year and month', ISO, '2010-06', '2010-06-01T00:00:00Z'],
  ['year and invalid month', ISO, '2010-13', null],
  ['output of date', 'POSIX', 'Tue Jul 21 15:00:00 CEST 2020', '2020-07-21T13:00:00Z'],
  ['afternoon', 'common', 'July 21, 2020 3:00 PM', '2020-07-21T15:00:00Z'],
  ['an hour of 24 with pm', 'common', '21 Jul 2020 15:00 pm', '2020-07-21T15:00:00Z'],
  ['half past midnight', 'common', '21 Jul 2020 12:30am EST', '2020-07-21T05:30:00Z'],
  ['empty', G, '', null],
  ['a word', G, 'tomorrow', null],
] as const;

describe('dates of unavailable_after', () => {
  test.each(DATES)('%s (%s): %s', (_id, _source, date, expected) => {
    const directives = parseDirectives(`unavailable_after: ${date}`).map(format);
    if (expected === null) expect(directives[0]).toBe(`? unavailable_after:${date === '' ? '' : ` ${date}`}`);
    else expect(directives).toEqual([`until ${expected}`]);
  });
});

const until = (date: string): string => `until ${date}`;
const JULY = until('2020-07-21T15:00:00Z');
const TAG = 'Google, X-Robots-Tag';

/** id, source, value of the header, directives with their agents in brackets. */
const HEADERS: readonly (readonly [string, string, string, ...string[]])[] = [
  ['one directive', TAG, 'noindex', 'noindex'],
  ['a list', TAG, 'noindex, nofollow', 'noindex', 'nofollow'],
  ['an agent', TAG, 'googlebot: nofollow', '[googlebot] nofollow'],
  ['an agent and a list', TAG, 'otherbot: noindex, nofollow', '[otherbot] noindex', '[otherbot] nofollow'],
  [
    'two agents',
    TAG,
    'googlebot: nofollow, otherbot: noindex, nofollow',
    '[googlebot] nofollow',
    '[otherbot] noindex',
    '[otherbot] nofollow',
  ],
  ['all agents, then an agent', TAG, 'noarchive, googlebot: noindex', '? noarchive', '[googlebot] noindex'],
  ['an agent in mixed case', TAG, 'GoogleBot-News: NOINDEX', '[googlebot-news] noindex'],
  ['an agent with white space', TAG, ' bingbot  :  none ', '[bingbot] none'],
  ['an agent without directives', TAG, 'googlebot:'],
  ['an agent and an empty list element', TAG, 'googlebot:, noindex', '[googlebot] noindex'],
  ['an agent twice', TAG, 'a: noindex, a: nofollow', '[a] noindex', '[a] nofollow'],
  ['two agents before one value', TAG, 'a: b: noindex', '[b] noindex'],
  ['an agent with digits', 'its operator', '360Spider: noindex', '[360spider] noindex'],
  ['an agent of digits', 'its operator', '008: noindex', '[008] noindex'],
  ['an agent with a dot', 'its operator', 'archive.org_bot: none', '[archive.org_bot] none'],
  [
    'an agent with digits ends the directives of the agent before it',
    TAG,
    'googlebot: nofollow, 360Spider: none, noindex',
    '[googlebot] nofollow',
    '[360spider] none',
    '[360spider] noindex',
  ],
  ['text with a space is not an agent', 'RFC 9309 2.2.1', 'my bot: noindex', '? my bot: noindex'],
  ['a token with a version is not an agent', 'RFC 9309 2.2.1', 'bot/1.0: noindex', '? bot/1.0: noindex'],
  ['an empty agent', TAG, ': noindex', '? : noindex'],
  ['max-snippet is not an agent', TAG, 'max-snippet: 20', 'max-snippet=20'],
  ['max-image-preview is not an agent', TAG, 'max-image-preview: none', 'max-image-preview=none'],
  [
    'max-video-preview is not an agent',
    TAG,
    'Max-Video-Preview:3, noindex',
    'max-video-preview=3',
    'noindex',
  ],
  ['noindex is not an agent', TAG, 'noindex: nofollow', '? noindex: nofollow'],
  [
    'an agent and max-snippet',
    TAG,
    'googlebot: max-snippet: 20, nofollow',
    '[googlebot] max-snippet=20',
    '[googlebot] nofollow',
  ],
  [
    'an unknown directive that begins with max- is not an agent',
    TAG,
    'Max-Foo: 3, noindex',
    '? Max-Foo: 3',
    'noindex',
  ],
  ['an unknown value with a colon is an agent', TAG, 'foo: 3', '[foo] ? 3'],
  ['a date', TAG, 'unavailable_after: 25 Jun 2010 15:00:00 PST', until('2010-06-25T23:00:00Z')],
  ['a date with a comma', RFC822, 'unavailable_after: Tuesday, 21 Jul 2020 15:00:00 GMT', JULY],
  [
    'a date with a comma, then a directive',
    RFC822,
    'unavailable_after: Tuesday, 21 Jul 2020 15:00:00 GMT, noarchive',
    JULY,
    '? noarchive',
  ],
  [
    'a directive, then a date with a comma',
    RFC822,
    'noindex, unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT',
    'noindex',
    JULY,
  ],
  [
    'a date without a time zone, then a directive as short as a time zone',
    RFC822,
    'unavailable_after: 21 Jul 2020 15:00:00, none',
    JULY,
    'none',
  ],
  [
    'a date with a comma before its time zone',
    'common',
    'unavailable_after: 21 Jul 2020 15:00:00, GMT',
    JULY,
  ],
  [
    'a date between directives',
    RFC850,
    'nofollow, unavailable_after: Tuesday, 21-Jul-20 15:00:00 GMT, noindex',
    'nofollow',
    JULY,
    'noindex',
  ],
  [
    'a date, then an agent',
    RFC822,
    'unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT, googlebot: noindex',
    JULY,
    '[googlebot] noindex',
  ],
  [
    'a date for an agent',
    RFC822,
    'googlebot: unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT, nofollow',
    `[googlebot] ${JULY}`,
    '[googlebot] nofollow',
  ],
  ['a date in ISO 8601', ISO, 'unavailable_after: 2020-07-21T15:00:00Z, noindex', JULY, 'noindex'],
  [
    'a date without time, then max-snippet',
    ISO,
    'unavailable_after: 2020-07-21, max-snippet: 5',
    until('2020-07-21T00:00:00Z'),
    'max-snippet=5',
  ],
  [
    'two dates',
    RFC822,
    'unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT, unavailable_after: 2020-07-21',
    JULY,
    until('2020-07-21T00:00:00Z'),
  ],
  [
    'a date with two commas',
    'common',
    'unavailable_after: Tuesday, Jul 21, 2020 15:00:00 GMT, none',
    JULY,
    'none',
  ],
  ['a date with a comma before its time', 'common', 'unavailable_after: 21 Jul 2020, 15:00:00 GMT', JULY],
  ['white space before the colon', TAG, 'UNAVAILABLE_AFTER : 2020-07-21T15:00:00Z', JULY],
  [
    'an invalid date',
    TAG,
    'unavailable_after: tomorrow, noindex',
    '? unavailable_after: tomorrow',
    'noindex',
  ],
  [
    'an invalid date with a comma',
    TAG,
    'unavailable_after: Tuesday, 99 Jul 2020 15:00:00 GMT, noindex',
    '? unavailable_after: Tuesday',
    '? 99 Jul 2020 15:00:00 GMT',
    'noindex',
  ],
  [
    'the time of an invalid date is not an agent',
    TAG,
    'unavailable_after: 99 Jul 2020, 15:00:00 GMT, 2020-99-21T15:00, noindex',
    '? unavailable_after: 99 Jul 2020',
    '? 15:00:00 GMT',
    '? 2020-99-21T15:00',
    'noindex',
  ],
  ['an empty date', TAG, 'unavailable_after:, noindex', '? unavailable_after:', 'noindex'],
  ['a missing colon', TAG, 'unavailable_after 2020-07-21', '? unavailable_after 2020-07-21'],
  ['only commas', TAG, ' , ,, '],
  ['empty', TAG, ''],
  ['semicolons do not separate', TAG, 'noindex; nofollow', '? noindex; nofollow'],
  [
    'the name of the header in its value',
    'observed on websites',
    'X-Robots-Tag: noindex',
    '[x-robots-tag] noindex',
  ],
];

describe('parseRobotsHeader', () => {
  test.each(HEADERS)('%s (%s): %s', (_id, _source, value, ...expected) => {
    const directives = parseRobotsHeader(value).map(({ agent, directive }) =>
      agent === null ? format(directive) : `[${agent}] ${format(directive)}`,
    );
    expect(directives).toEqual(expected);
  });
});
