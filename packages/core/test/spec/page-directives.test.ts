import { describe, expect, test } from 'vitest';
import { type Directive, parseDirectives, parseRobotsHeader } from '../../src/page.ts';

const G = 'Google, robots meta tag';
const RFC822 = 'RFC 822';
const RFC850 = 'RFC 850';
const ISO = 'ISO 8601';

/** `noindex` and the like, in short: kind, and the value if it has one. */
function brief(directive: Directive): string {
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

/** id, source, content of a meta tag, what it says. */
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
  ['max-snippet of no number', G, 'max-snippet:many', ['? max-snippet:many']],
  ['max-snippet of a part', G, 'max-snippet:2.5', ['? max-snippet:2.5']],
  ['max-snippet below -1', G, 'max-snippet:-2', ['? max-snippet:-2']],
  ['max-snippet of nothing', G, 'max-snippet', ['? max-snippet']],
  ['max-video-preview', G, 'max-video-preview:-1', ['max-video-preview=-1']],
  ['max-image-preview', G, 'max-image-preview:standard', ['max-image-preview=standard']],
  ['max-image-preview in capitals', G, 'MAX-IMAGE-PREVIEW: Large', ['max-image-preview=large']],
  ['max-image-preview of nothing known', G, 'max-image-preview:huge', ['? max-image-preview:huge']],
  [
    'a combination',
    G,
    'max-snippet:20, max-image-preview:large',
    ['max-snippet=20', 'max-image-preview=large'],
  ],
  ['capitals', G, 'NoIndex, NOFOLLOW', ['noindex', 'nofollow']],
  ['white space', G, ' \n noindex ,\tnofollow ', ['noindex', 'nofollow']],
  ['white space around a colon', G, 'max-snippet : 5', ['max-snippet=5']],
  ['empty places', G, ',,noindex,,', ['noindex']],
  ['nothing', G, '', []],
  ['unknown ones are kept', G, 'noindex, noarchive, foo:bar', ['noindex', '? noarchive', '? foo:bar']],
  ['index and follow say nothing', G, 'index, follow', ['? index', '? follow']],
  ['white space does not separate', G, 'noindex nofollow', ['? noindex nofollow']],
  ['a value where none belongs', G, 'noindex: yes', ['? noindex: yes']],
  ['no agents in a meta tag', G, 'googlebot: noindex', ['? googlebot: noindex']],
  ['a part of a word', G, 'noindexes, xnoindex', ['? noindexes', '? xnoindex']],
] as const;

describe('the content of a meta tag', () => {
  test.each(CONTENTS)('%s (%s): %s', (_id, _source, content, expected) => {
    expect(parseDirectives(content).map(brief)).toEqual(expected);
  });
});

/** id, source, date, the same in UTC; `null` if it is none. */
const DATES = [
  ['date and zone', RFC822, '25 Jun 2010 15:00:00 PST', '2010-06-25T23:00:00Z'],
  ['weekday', RFC822, 'Tue, 21 Jul 2020 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['whole weekday', RFC822, 'Tuesday, 21 Jul 2020 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['year of two digits', RFC822, '21 Jul 20 15:00 UT', '2020-07-21T15:00:00Z'],
  ['offset', RFC822, '21 Jul 2020 15:00:00 +0200', '2020-07-21T13:00:00Z'],
  ['offset to the west', RFC822, '21 Jul 2020 15:00:00 -0330', '2020-07-21T18:30:00Z'],
  ['summer time', RFC822, '21 Jul 2020 15:00:00 EDT', '2020-07-21T19:00:00Z'],
  ['hyphens', RFC850, 'Tuesday, 21-Jul-20 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['hyphens, no weekday', RFC850, '25-Aug-2007 15:00:00 EST', '2007-08-25T20:00:00Z'],
  ['last century', RFC850, 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['a day', ISO, '2020-07-21', '2020-07-21T00:00:00Z'],
  ['UTC', ISO, '2020-07-21T15:00:00Z', '2020-07-21T15:00:00Z'],
  ['offset with a colon', ISO, '2020-07-21T15:00:00+02:00', '2020-07-21T13:00:00Z'],
  ['no zone', ISO, '2020-07-21T15:00', '2020-07-21T15:00:00Z'],
  ['fractions of a second', ISO, '2020-07-21T15:00:00.999Z', '2020-07-21T15:00:00Z'],
  ['basic form', ISO, '20200721T150000Z', '2020-07-21T15:00:00Z'],
  ['a space for the T', ISO, '2020-07-21 15:00:00', '2020-07-21T15:00:00Z'],
  ['month first', 'common', 'July 21, 2020', '2020-07-21T00:00:00Z'],
  ['as C writes it', 'asctime', 'Tue Jul 21 15:00:00 2020', '2020-07-21T15:00:00Z'],
  ['a comma before the time', 'common', '21 Jul 2020, 15:00:00 GMT', '2020-07-21T15:00:00Z'],
  ['leap day', ISO, '2020-02-29', '2020-02-29T00:00:00Z'],
  ['no leap day', ISO, '2021-02-29', null],
  ['no such month', ISO, '2020-13-01', null],
  ['no such month', RFC822, '21 Jux 2020', null],
  ['no such hour', ISO, '2020-07-21T25:00Z', null],
  ['no such zone', RFC822, '21 Jul 2020 15:00:00 XYZ', null],
  ['nothing', G, '', null],
  ['a word', G, 'tomorrow', null],
] as const;

describe('dates', () => {
  test.each(DATES)('%s (%s): %s', (_id, _source, date, expected) => {
    const said = parseDirectives(`unavailable_after: ${date}`).map(brief);
    if (expected === null) expect(said[0]).toBe(`? unavailable_after:${date === '' ? '' : ` ${date}`}`);
    else expect(said).toEqual([`until ${expected}`]);
  });
});

const until = (date: string): string => `until ${date}`;
const JULY = until('2020-07-21T15:00:00Z');
const WHERE = 'Google, X-Robots-Tag';

/** id, source, value of the header, what it says to whom. */
const HEADERS: readonly (readonly [string, string, string, readonly (readonly [string, string])[]])[] = [
  ['one', WHERE, 'noindex', [['*', 'noindex']]],
  [
    'a list',
    WHERE,
    'noindex, nofollow',
    [
      ['*', 'noindex'],
      ['*', 'nofollow'],
    ],
  ],
  ['an agent', WHERE, 'googlebot: nofollow', [['googlebot', 'nofollow']]],
  [
    'an agent and a list',
    WHERE,
    'otherbot: noindex, nofollow',
    [
      ['otherbot', 'noindex'],
      ['otherbot', 'nofollow'],
    ],
  ],
  [
    'two agents',
    WHERE,
    'googlebot: nofollow, otherbot: noindex, nofollow',
    [
      ['googlebot', 'nofollow'],
      ['otherbot', 'noindex'],
      ['otherbot', 'nofollow'],
    ],
  ],
  [
    'all, then an agent',
    WHERE,
    'noarchive, googlebot: noindex',
    [
      ['*', '? noarchive'],
      ['googlebot', 'noindex'],
    ],
  ],
  ['an agent in capitals', WHERE, 'GoogleBot-News: NOINDEX', [['googlebot-news', 'noindex']]],
  ['an agent with white space', WHERE, ' bingbot  :  none ', [['bingbot', 'none']]],
  ['an agent and nothing', WHERE, 'googlebot:', []],
  ['an agent and nothing, then more', WHERE, 'googlebot:, noindex', [['googlebot', 'noindex']]],
  [
    'an agent twice',
    WHERE,
    'a: noindex, a: nofollow',
    [
      ['a', 'noindex'],
      ['a', 'nofollow'],
    ],
  ],
  ['two agents before one value', WHERE, 'a: b: noindex', [['b', 'noindex']]],
  ['an agent with digits is none', 'RFC 9309 2.2.1', '360Spider: noindex', [['*', '? 360Spider: noindex']]],
  ['an agent with a space is none', 'RFC 9309 2.2.1', 'my bot: noindex', [['*', '? my bot: noindex']]],
  ['an agent with a version is none', 'RFC 9309 2.2.1', 'bot/1.0: noindex', [['*', '? bot/1.0: noindex']]],
  ['nobody', WHERE, ': noindex', [['*', '? : noindex']]],
  ['max-snippet is no agent', WHERE, 'max-snippet: 20', [['*', 'max-snippet=20']]],
  ['max-image-preview is no agent', WHERE, 'max-image-preview: none', [['*', 'max-image-preview=none']]],
  [
    'max-video-preview is no agent',
    WHERE,
    'Max-Video-Preview:3, noindex',
    [
      ['*', 'max-video-preview=3'],
      ['*', 'noindex'],
    ],
  ],
  ['noindex is no agent', WHERE, 'noindex: nofollow', [['*', '? noindex: nofollow']]],
  [
    'an agent and max-snippet',
    WHERE,
    'googlebot: max-snippet: 20, nofollow',
    [
      ['googlebot', 'max-snippet=20'],
      ['googlebot', 'nofollow'],
    ],
  ],
  ['an unknown value with a colon is an agent', WHERE, 'max-foo: 3', [['max-foo', '? 3']]],
  ['a date', WHERE, 'unavailable_after: 25 Jun 2010 15:00:00 PST', [['*', until('2010-06-25T23:00:00Z')]]],
  ['a date with a comma', RFC822, 'unavailable_after: Tuesday, 21 Jul 2020 15:00:00 GMT', [['*', JULY]]],
  [
    'a date with a comma, then more',
    RFC822,
    'unavailable_after: Tuesday, 21 Jul 2020 15:00:00 GMT, noarchive',
    [
      ['*', JULY],
      ['*', '? noarchive'],
    ],
  ],
  [
    'more, then a date with a comma',
    RFC822,
    'noindex, unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT',
    [
      ['*', 'noindex'],
      ['*', JULY],
    ],
  ],
  [
    'a date between',
    RFC850,
    'nofollow, unavailable_after: Tuesday, 21-Jul-20 15:00:00 GMT, noindex',
    [
      ['*', 'nofollow'],
      ['*', JULY],
      ['*', 'noindex'],
    ],
  ],
  [
    'a date, then an agent',
    RFC822,
    'unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT, googlebot: noindex',
    [
      ['*', JULY],
      ['googlebot', 'noindex'],
    ],
  ],
  [
    'a date for an agent',
    RFC822,
    'googlebot: unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT, nofollow',
    [
      ['googlebot', JULY],
      ['googlebot', 'nofollow'],
    ],
  ],
  [
    'a date in ISO 8601',
    ISO,
    'unavailable_after: 2020-07-21T15:00:00Z, noindex',
    [
      ['*', JULY],
      ['*', 'noindex'],
    ],
  ],
  [
    'a day, then max-snippet',
    ISO,
    'unavailable_after: 2020-07-21, max-snippet: 5',
    [
      ['*', until('2020-07-21T00:00:00Z')],
      ['*', 'max-snippet=5'],
    ],
  ],
  [
    'two dates',
    RFC822,
    'unavailable_after: Tue, 21 Jul 2020 15:00:00 GMT, unavailable_after: 2020-07-21',
    [
      ['*', JULY],
      ['*', until('2020-07-21T00:00:00Z')],
    ],
  ],
  [
    'a date with two commas',
    'common',
    'unavailable_after: Tuesday, Jul 21, 2020 15:00:00 GMT, none',
    [
      ['*', JULY],
      ['*', 'none'],
    ],
  ],
  [
    'a date with a comma before its time',
    'common',
    'unavailable_after: 21 Jul 2020, 15:00:00 GMT',
    [['*', JULY]],
  ],
  ['white space before the colon', WHERE, 'UNAVAILABLE_AFTER : 2020-07-21T15:00:00Z', [['*', JULY]]],
  [
    'no date',
    WHERE,
    'unavailable_after: tomorrow, noindex',
    [
      ['*', '? unavailable_after: tomorrow'],
      ['*', 'noindex'],
    ],
  ],
  [
    'no date with a comma',
    WHERE,
    'unavailable_after: Tuesday, 99 Jul 2020 15:00:00 GMT, noindex',
    [
      ['*', '? unavailable_after: Tuesday'],
      ['*', '? 99 Jul 2020 15:00:00 GMT'],
      ['*', 'noindex'],
    ],
  ],
  [
    'no date at all',
    WHERE,
    'unavailable_after:, noindex',
    [
      ['*', '? unavailable_after:'],
      ['*', 'noindex'],
    ],
  ],
  ['no colon', WHERE, 'unavailable_after 2020-07-21', [['*', '? unavailable_after 2020-07-21']]],
  ['only commas', WHERE, ' , ,, ', []],
  ['empty', WHERE, '', []],
  ['semicolons do not separate', WHERE, 'noindex; nofollow', [['*', '? noindex; nofollow']]],
  [
    'the name of the header again',
    'seen in the wild',
    'X-Robots-Tag: noindex',
    [['x-robots-tag', 'noindex']],
  ],
];

describe('the value of an X-Robots-Tag header', () => {
  test.each(HEADERS)('%s (%s): %s', (_id, _source, value, expected) => {
    const said = parseRobotsHeader(value).map(({ agent, directive }) => [agent ?? '*', brief(directive)]);
    expect(said).toEqual(expected);
  });
});
