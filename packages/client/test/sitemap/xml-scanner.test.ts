import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseXmlAttributes, XmlScanner } from '../../src/sitemap/xml-scanner.ts';

/** What the scanner reads, one line for each element; pieces of one text are put together. */
function scan(pieces: readonly string[]): {
  readonly events: readonly string[];
  readonly isComplete: boolean;
} {
  const events: string[] = [];
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
  });
  for (const piece of pieces) scanner.write(piece);
  const isComplete = scanner.end();
  endText();
  return { events, isComplete };
}

const DOCUMENTS: [name: string, xml: string, events: string[], isComplete?: boolean][] = [
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
  ],
  ['CDATA', '<a><![CDATA[<b>&amp;]]]]></a>', ['<a>', '"<b>&amp;]]"', '</a>']],
  ['comments', '<!-- <a> --><a><!----><!-- > --></a>', ['<a>', '</a>']],
  ['instructions and declarations', '<?xml version="1.0"?><!DOCTYPE a><a/>', ['<a>', '</a>']],
  [
    'entities that are declared',
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    ['"]>"', '<a>', '"&b;"', '</a>'],
  ],
  ['an end tag that closes more', '<a><b>x</a>', ['<a>', '<b>', '"x"', '</b>', '</a>']],
  ['an end tag of nothing', '<a></b>x</a>', ['<a>', '"x"', '</a>']],
  ['an end in an element', '<a>x', ['<a>', '"x"'], false],
  ['an end in a tag', '<a/><b', ['<a>', '</a>'], false],
  ['an end in a comment', '<a/><!-- ', ['<a>', '</a>'], false],
  ['an end in a reference', '<a/>&am', ['<a>', '</a>', '"&am"']],
  ['nothing', '', []],
];

describe('the scanner reads', () => {
  test.each(DOCUMENTS)('%s', (_name, xml, events, isComplete = true) => {
    expect(scan([xml])).toEqual({ events, isComplete });
  });

  test.each(DOCUMENTS)('%s, character by character', (_name, xml, events, isComplete = true) => {
    expect(scan([...xml])).toEqual({ events, isComplete });
  });

  test('the same from any pieces', () => {
    const word = fc.constantFrom(
      ...[
        '<a>',
        '</a>',
        '<b c="',
        '">',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?',
        '?>',
        '<!',
        '>',
        '<',
        '/',
        '"',
        "'",
      ],
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
          expect(scan(pieces)).toEqual(scan([xml]));
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 2_000), seed: 1 },
    );
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
