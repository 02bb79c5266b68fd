import { describe, expect, test } from 'vitest';
import { type CanonicalStatement, CanonicalStatements } from '../../src/indexability/canonical.ts';
import { type HeaderLink, parseLinkHeader, splitRelationTypes } from '../../src/indexability/link-header.ts';
import { parseRefresh } from '../../src/indexability/refresh.ts';
import type { HtmlLink } from '../../src/indexability.ts';
import { decideCanonical } from '../../src/indexability.ts';

const PAGE = 'https://h.example/dir/page?q=1';
const RFC = 'RFC 8288';

/** id, section, value of the header, links in the form `target rel... ^anchor @hreflang`. */
const HEADERS = [
  ['one link', '3', '<https://h.example/c>; rel="canonical"', ['https://h.example/c canonical']],
  ['no quotes', '3', '</c>; rel=canonical', ['/c canonical']],
  ['no white space', '3', '</c>;rel=canonical', ['/c canonical']],
  ['much white space', '3', ' \t</c> \t;\t rel \t=\t "canonical" ', ['/c canonical']],
  ['two links', '3', '</a>; rel=prev, </b>; rel=next', ['/a prev', '/b next']],
  ['empty elements', '3', ', ,</a>; rel=prev,, </b>; rel=next,', ['/a prev', '/b next']],
  ['several relation types', '3.3', '</a>; rel="canonical next"', ['/a canonical next']],
  [
    'several relation types with much white space',
    '3.3',
    '</a>; rel="  canonical \t next "',
    ['/a canonical next'],
  ],
  ['upper case', '3.3', '</a>; REL="Canonical"', ['/a canonical']],
  ['only the first rel counts', '3.3', '</a>; rel=next; rel=canonical', ['/a next']],
  [
    'an extension relation type',
    '2.1.2',
    '</a>; rel="https://r.example/Rel next"',
    ['/a https://r.example/rel next'],
  ],
  ['no rel', '3.3', '</a>', ['/a']],
  ['an empty rel', '3.3', '</a>; rel=""', ['/a']],
  ['an empty target', '3.1', '<>; rel=canonical', [' canonical']],
  ['a comma in the target', '3', '</a,b>; rel=canonical', ['/a,b canonical']],
  ['a semicolon in the target', '3', '</a;b>; rel=canonical', ['/a;b canonical']],
  ['a comma in quotes', '3', '</a>; title="x, <y>; rel=next"; rel=canonical', ['/a canonical']],
  ['an escaped quote', '3', '</a>; title="x\\", <y>"; rel=canonical', ['/a canonical']],
  ['an unnecessary escape', '3', '</a>; rel="ca\\nonical"', ['/a canonical']],
  ['a quote that is not closed', 'B.4', '</a>; rel="canonical', ['/a canonical']],
  ['an anchor', '3.2', '</a>; rel=canonical; anchor="/other"', ['/a canonical ^/other']],
  [
    'only the first anchor counts',
    '3.2',
    '</a>; anchor="#x"; anchor="/y"; rel=canonical',
    ['/a canonical ^#x'],
  ],
  ['hreflang', '3.4.1', '</de>; rel=alternate; hreflang=de', ['/de alternate @de']],
  ['a parameter without a value', '3', '</a>; crossorigin; rel=canonical', ['/a canonical']],
  ['empty parameters', '3', '</a>;; ;rel=canonical;', ['/a canonical']],
  ['an extended parameter', '3.4.2', "</a>; title*=UTF-8''x%2c; rel=canonical", ['/a canonical']],
  [
    'text after a quoted value',
    'B.3',
    '</a>; rel="next"x; rel=canonical, </b>; rel=prev',
    ['/a next', '/b prev'],
  ],
  ['text after the target', 'B.3', '</a> x; rel=canonical', ['/a canonical']],
  ['no target', 'B.2', 'https://h.example/c; rel=canonical', []],
  ['a target that is not closed', 'B.2', '</a; rel=canonical', []],
  ['text after the comma', 'B.2', '</a>; rel=next, x, </b>; rel=canonical', ['/a next']],
  ['empty', '3', '', []],
] as const;

describe(`the Link header (${RFC})`, () => {
  test.each(HEADERS)('%s (section %s): %s', (_id, _section, value, expected) => {
    const links = parseLinkHeader(value).map(({ target, rel, anchor, hreflang }) => {
      const more = [
        ...(anchor === null ? [] : [`^${anchor}`]),
        ...(hreflang === null ? [] : [`@${hreflang}`]),
      ];
      return [target, ...rel, ...more].join(' ');
    });
    expect(links).toEqual(expected);
  });
});

const LINK: HtmlLink = {
  rel: 'canonical',
  href: '/c',
  hreflang: null,
  lang: null,
  media: null,
  type: null,
  inHead: true,
};
const C = 'https://h.example/c';
const G = 'Google, consolidate duplicate URLs';

/** id, source, differences from a canonical to /c, URL, reason why it is ignored. */
const ELEMENTS = [
  ['a canonical', G, {}, C, null],
  ['several relation types', 'HTML 4.2.4', { rel: 'next\nCANONICAL' }, C, null],
  ['in the body', G, { inHead: false }, C, 'in-body'],
  ['with hreflang', G, { hreflang: 'de' }, C, 'hreflang'],
  ['with lang', G, { lang: 'de' }, C, 'lang'],
  ['with media', G, { media: 'print' }, C, 'media'],
  ['with an empty media', G, { media: '' }, C, 'media'],
  ['with type', G, { type: 'text/html' }, C, 'type'],
  ['relative', 'HTML 4.2.4', { href: 'x/../c2' }, 'https://h.example/base/c2', null],
  ['another scheme', 'RFC 9309', { href: 'http://h.example/c' }, 'http://h.example/c', null],
  ['another host', 'RFC 6596 3', { href: '//OTHER.example' }, 'https://other.example/', null],
  ['with a fragment', 'RFC 3986 3.5', { href: '/c#top' }, C, null],
  [
    'with a percent-encoded octet in lower case',
    'RFC 3986 6.2.2.1',
    { href: '/%c3%a9' },
    'https://h.example/%C3%A9',
    null,
  ],
  ['with a non-ASCII character', 'URL Standard', { href: '/é' }, 'https://h.example/%C3%A9', null],
  ['a default port', 'URL Standard', { href: 'https://h.example:443/c' }, C, null],
  ['white space around it', 'URL Standard', { href: ' \n/c ' }, C, null],
  ['empty', 'HTML 4.6.1', { href: ' ' }, null, 'empty'],
  ['an invalid URL', 'URL Standard', { href: 'https://' }, null, 'invalid-url'],
  ['an unsupported scheme', 'RFC 9309', { href: 'mailto:a@h.example' }, null, 'invalid-url'],
] as const;

function readHtmlCanonicals(links: readonly HtmlLink[], base: string): readonly CanonicalStatement[] {
  const statements = new CanonicalStatements(PAGE);
  for (const link of links) statements.addElement(link, splitRelationTypes(link.rel), base);
  return statements.all;
}

function readHeaderCanonicals(links: readonly HeaderLink[], url: string): readonly CanonicalStatement[] {
  const statements = new CanonicalStatements(url);
  for (const link of links) statements.addHeaderLink(link);
  return statements.all;
}

describe('canonicals in HTML', () => {
  test.each(ELEMENTS)('%s (%s)', (_id, _source, difference, url, ignored) => {
    const [canonical] = readHtmlCanonicals([{ ...LINK, ...difference }], 'https://h.example/base/');
    expect(canonical).toMatchObject({ from: 'html', url, ignored });
  });

  test('links of other relation types are not canonicals', () => {
    expect(readHtmlCanonicals([{ ...LINK, rel: 'canonicals' }], PAGE)).toEqual([]);
  });
});

/** id, header, URL, reason why it is ignored. */
const IN_HEADERS = [
  ['relative to the page', '<c>; rel=canonical', 'https://h.example/dir/c', null],
  ['for another context', '<c>; rel=canonical; anchor="/x"', 'https://h.example/dir/c', 'anchor'],
  ['for the page', '<c>; rel=canonical; anchor="page?q=1"', 'https://h.example/dir/c', null],
  ['for a fragment of the page', '<c>; rel=canonical; anchor="#x"', 'https://h.example/dir/c', null],
  ['empty', '<>; rel=canonical', null, 'empty'],
  ['with hreflang', '</c>; rel=canonical; hreflang=de', C, null],
] as const;

test.each(IN_HEADERS)('canonical in a header: %s', (_id, header, url, ignored) => {
  expect(readHeaderCanonicals(parseLinkHeader(header), PAGE)).toMatchObject([
    { from: 'header', url, ignored },
  ]);
});

describe('decideCanonical', () => {
  const html = (...hrefs: readonly string[]) =>
    readHtmlCanonicals(
      hrefs.map((href) => ({ ...LINK, href })),
      PAGE,
    );
  const header = (value: string) => readHeaderCanonicals(parseLinkHeader(value), PAGE);

  test.each([
    ['no canonical', [], { kind: 'absent' }],
    ['only an ignored canonical', readHtmlCanonicals([{ ...LINK, inHead: false }], PAGE), { kind: 'absent' }],
    ['the page itself', html('?q=1#x'), { kind: 'self' }],
    ['the page itself, twice', [...html('?q=1'), ...header(`<${PAGE}>; rel=canonical`)], { kind: 'self' }],
    ['another page', html('/c'), { kind: 'other', url: C }],
    [
      'another page, several times',
      [...html('/c', 'https://h.example:443/c'), ...header('</c>; rel=canonical')],
      { kind: 'other', url: C },
    ],
    ['two other pages', html('/c', '/d'), { kind: 'conflict', urls: [C, 'https://h.example/d'] }],
    ['the page itself and another page', html('?q=1', '/c'), { kind: 'conflict', urls: [PAGE, C] }],
    [
      'different pages in HTML and header',
      [...header('</d>; rel=canonical'), ...html('/c')],
      { kind: 'conflict', urls: ['https://h.example/d', C] },
    ],
    ['without the query', html('page'), { kind: 'other', url: 'https://h.example/dir/page' }],
  ] as const)('%s', (_id, statements, expected) => {
    expect(decideCanonical(PAGE, statements)).toEqual({ ...expected, statements });
  });
});

/** id, content, delay in seconds and target, `null` if browsers ignore it (HTML Standard, section 4.2.5.3). */
const REFRESHES = [
  ['a delay', '5', [5, '']],
  ['a fraction of a second', '0.5', [0, '']],
  ['only a fraction of a second', '.5; url=x', [0, 'x']],
  ['white space', ' \n 5 ; url = x', [5, 'x']],
  ['a target', '0; url=/x', [0, '/x']],
  ['upper case', '0;URL=/x', [0, '/x']],
  ['a comma', '0,url=/x', [0, '/x']],
  ['white space as separator', '0 url=/x', [0, '/x']],
  ['no url= prefix', '0; /x', [0, '/x']],
  ['single quotes', "0; url='x y' z", [0, 'x y']],
  ['double quotes', '0; url="/x"', [0, '/x']],
  ['quotes without a prefix', "0; '/x'", [0, '/x']],
  ['a quote that is not closed', "0; url='/x", [0, '/x']],
  ['a target that begins with url', '0; url/x', [0, 'url/x']],
  ['a target that begins with u', '0; u.html', [0, 'u.html']],
  ['an empty target', '0; url=', [0, '']],
  ['a separator without a target', '0;', [0, '']],
  ['two separators', '0;;url=x', [0, ';url=x']],
  ['no delay', 'url=/x', null],
  ['a negative delay', '-1; url=/x', null],
  ['a delay with a unit', '5s; url=/x', null],
  ['empty', '', null],
] as const;

test.each(REFRESHES)('parseRefresh: %s', (_id, content, expected) => {
  const refresh = parseRefresh(content);
  expect(refresh === null ? null : [refresh.delay, refresh.href]).toEqual(expected);
});
