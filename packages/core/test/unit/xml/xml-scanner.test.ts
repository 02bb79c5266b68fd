import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseXmlAttributes, type XmlProblemCode, XmlScanner } from '../../../src/internal.ts';
import { FUZZ_PARAMETERS } from '../../support/arbitraries.ts';

/** What the scanner reads, one line for each element; pieces of one text are put together. */
function scan(pieces: readonly string[]): {
  readonly events: readonly string[];
  readonly isComplete: boolean;
  /** Their codes, with the offsets. */
  readonly problems: readonly [XmlProblemCode, number][];
} {
  const events: string[] = [];
  const problems: [XmlProblemCode, number][] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') events.push(`"${text}"`);
    text = '';
  };
  const scanner = new XmlScanner({
    onOpen: (name, attributes) => {
      endText();
      events.push(
        `<${name}${[...parseXmlAttributes(attributes)].map(([key, value]) => ` ${key}=${value}`).join('')}>`,
      );
    },
    onText: (piece) => {
      text += piece;
    },
    onClose: (name) => {
      endText();
      events.push(`</${name}>`);
    },
    onProblem: ({ code }, at) => problems.push([code, at]),
  });
  for (const piece of pieces) scanner.write(piece);
  const isComplete = scanner.end();
  endText();
  return { events, isComplete, problems };
}

interface Content {
  readonly xml: string;
  readonly events: readonly string[];
}
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;').replaceAll(']]>', ']]&gt;');

type Problem = [XmlProblemCode, number];

const DOCUMENTS: [name: string, xml: string, events: string[], isComplete?: boolean, ...Problem[]][] = [
  ['elements and text', '<a>x<b/>y</a>', ['<a>', '"x"', '<b>', '</b>', '"y"', '</a>']],
  ['white space in tags', '<a\n>x</a >', ['<a>', '"x"', '</a>']],
  ['attributes', `<a b="1" c = '2>"' b="3"/>`, ['<a b=1 c=2>">', '</a>']],
  [
    'the five entities, and numbers',
    '<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</a>',
    ['<a>', `"<>&"'A😀"`, '</a>'],
  ],
  [
    'what is no reference',
    '<a>& &; &nbsp; &#x110000; &#0; &#xd800;</a>',
    ['<a>', '"& &; &nbsp; \ufffd \ufffd \ufffd"', '</a>'],
    true,
    // Offsets of a text are those of its beginning.
    ...Array.from({ length: 4 }, (): Problem => ['unresolved-reference', 3]),
  ],
  ['CDATA', '<a><![CDATA[<b>&amp;]]]]></a>', ['<a>', '"<b>&amp;]]"', '</a>']],
  ['comments', '<!-- <a> --><a><!----><!-- > --></a>', ['<a>', '</a>']],
  ['instructions and declarations', '<?xml version="1.0"?><!DOCTYPE a><a/>', ['<a>', '</a>']],
  [
    'entities that are declared',
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    ['<a>', '"&b;"', '</a>'],
    true,
    ['unresolved-reference', 33],
  ],
  [
    'a document type with all that its subset can contain',
    `<!DOCTYPE a PUBLIC "]>" 'x>' [ <!-- it's ]> --> <?php "]> ?> <!ENTITY b ']>'> <!ELEMENT a (b|c)> ] ><a/>`,
    ['<a>', '</a>'],
  ],
  ['a document type without its end', '<!DOCTYPE a <a/>', ['<a>', '</a>'], true, ['invalid-markup', 12]],
  ['an end in a document type', '<!DOCTYPE a [<a/>', [], false, ['unexpected-end', 17]],
  [
    'an end tag that closes more',
    '<a><b>x</a>',
    ['<a>', '<b>', '"x"', '</b>', '</a>'],
    true,
    ['missing-end-tag', 7],
  ],
  ['an end tag of nothing', '<a></b>x</a>', ['<a>', '"x"', '</a>'], true, ['unexpected-end-tag', 3]],
  ['an end in an element', '<a>x', ['<a>', '"x"'], false, ['missing-end-tag', 4]],
  ['an end in a tag', '<a/><b', ['<a>', '</a>'], false, ['unexpected-end', 4]],
  ['an end in a comment', '<a/><!-- ', ['<a>', '</a>'], false, ['unexpected-end', 8]],
  [
    'a tag without its end',
    '<a <b c="1">x</b</a>',
    ['<a>', '<b c=1>', '"x"', '</b>', '</a>'],
    true,
    ['invalid-markup', 0],
    ['invalid-markup', 13],
  ],
  [
    'a sign in a text',
    '<a>1 < 2<b/></a>',
    ['<a>', '"1 < 2"', '<b>', '</b>', '</a>'],
    true,
    ['invalid-markup', 5],
  ],
  ['an end in a reference', '<a/>&am', ['<a>', '</a>', '"&am"']],
  ['nothing', '', []],
];

describe('the scanner reads', () => {
  test.each(DOCUMENTS)('%s', (_name, xml, events, isComplete = true, ...problems) => {
    expect(scan([xml])).toEqual({ events, isComplete, problems });
  });

  test.each(DOCUMENTS)('%s, character by character', (_name, xml, events, isComplete = true) => {
    expect(scan([...xml])).toMatchObject({ events, isComplete });
  });

  test('well-formed documents without a problem, and all that they contain', () => {
    const name = fc.constantFrom('a', 'b:c', '_d', 'é');
    const value = fc.string({ unit: fc.constantFrom(...'<>&"\'x] -'), maxLength: 6 });
    const content = fc.oneof(
      value.map((text): Content => ({ xml: escapeXml(text), events: text === '' ? [] : [`"${text}"`] })),
      fc.constantFrom('<!-- <a> & -->', '<?x <a> ?>').map((xml): Content => ({ xml, events: [] })),
      fc
        .constantFrom('<b>&', '] ]>')
        .map((text): Content => ({ xml: `<![CDATA[${text}]]>`, events: [`"${text}"`] })),
    );
    const { element } = fc.letrec<{ element: Content; content: Content }>((tie) => ({
      content: fc.oneof({ maxDepth: 4 }, content, tie('element')),
      element: fc.tuple(name, fc.option(value), fc.array(tie('content'), { maxLength: 4 })).map(
        ([tag, attribute, contents]): Content => ({
          xml: `<${tag}${attribute === null ? '' : ` x = "${escapeXml(attribute)}"`}>${contents.map(({ xml }) => xml).join('')}</${tag} >`,
          events: [
            `<${tag}${attribute === null ? '' : ` x=${attribute}`}>`,
            ...contents.flatMap(({ events }) => events),
            `</${tag}>`,
          ],
        }),
      ),
    }));
    const joined = (events: readonly string[]): string => events.join('\n').replaceAll('"\n"', '');
    fc.assert(
      fc.property(element, ({ xml, events }) => {
        const { isComplete, problems, events: scanned } = scan([`<?xml version="1.0"?><!DOCTYPE a>${xml}`]);
        expect({ isComplete, problems }).toEqual({ isComplete: true, problems: [] });
        expect(joined(scanned)).toBe(joined(events));
      }),
      FUZZ_PARAMETERS,
    );
  });

  test('the same from any pieces', () => {
    const word = fc.constantFrom(
      ...['<a>', '</a>', '<b c="', '">', '<![CDATA[', ']]>', '<!--', '-->'],
      ...['<?', '?>', '<!', '>', '<', '/', '"', "'"],
      ...['=', ' ', '&', ';', '&amp;', '&#65;', 'text', ']', '-'],
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 30 }),
        fc.array(fc.nat(40), { maxLength: 10 }),
        (words, cuts) => {
          const xml = words.join('');
          const places = [
            0,
            ...cuts.map((cut) => Math.min(cut, xml.length)).sort((a, b) => a - b),
            xml.length,
          ];
          const pieces = places.slice(1).map((end, index) => xml.slice(places[index], end));
          const { events, isComplete } = scan([xml]);
          expect(scan(pieces)).toMatchObject({ events, isComplete });
        },
      ),
      FUZZ_PARAMETERS,
    );
  });
});

describe('attributes', () => {
  test.each<[string, Record<string, string>, XmlProblemCode[]]>([
    [` b="1"\nc = '2>"' b="3"`, { b: '1', c: '2>"' }, []],
    [' b=&amp; c="1"', { c: '1' }, ['invalid-markup', 'invalid-markup']],
    [' b c="1"', { c: '1' }, ['invalid-markup']],
    [
      ' b="&amp;&d;" c=\'&#0;\'',
      { b: '&&d;', c: '\ufffd' },
      ['unresolved-reference', 'unresolved-reference'],
    ],
    [' b="1" c="', { b: '1' }, ['invalid-markup', 'invalid-markup']],
    [' b="<"', { b: '<' }, ['invalid-markup']],
    [' xmlns:b="1" b="2"', { 'xmlns:b': '1', b: '2' }, []],
  ])('%j', (text, values, codes) => {
    const problems: XmlProblemCode[] = [];
    const attributes = parseXmlAttributes(text, ({ code }) => problems.push(code));
    expect([Object.fromEntries(attributes), problems]).toEqual([values, codes]);
  });
});

describe('the scanner is bounded', () => {
  test.each([
    ['elements in one another', '<a>'.repeat(101), /more than 100 elements in one another/],
    ['a tag', `<a b="${'x'.repeat(33_000)}`, /a tag of more than 32768 characters/],
    ['a tag that ends', `<a b="${'x'.repeat(33_000)}"/>`, /a tag of more than 32768 characters/],
  ])('%s without end is an error', (_name, xml, message) => {
    expect(() => scan([xml])).toThrow(message);
    expect(() => scan(xml.match(/.{1,7}/gs) ?? [])).toThrow(message);
  });

  test.each<[string, string, string?]>([
    ['a text', 'x'],
    ['a comment', '<!--', 'x'],
    ['a CDATA section', '<![CDATA[', 'x'],
    ['ampersands', '&'],
  ])('%s without end is not kept', (_name, start, more = start) => {
    let longest = 0;
    const scanner = new XmlScanner({
      onOpen: () => {},
      onText: (text) => {
        longest = Math.max(longest, text.length);
      },
      onClose: () => {},
    });
    scanner.write(start);
    for (let times = 0; times < 10_000; times++) scanner.write(more.repeat(10));
    // Each piece is handed on with no more than the beginning of something before it.
    expect(longest).toBeLessThan(50);
  });
});
