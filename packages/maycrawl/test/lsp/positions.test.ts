import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PositionEncoding, selectEncoding, TextLines } from '../../src/lsp/positions.ts';
import { RobotsDocument } from '../../src/lsp/robots-document.ts';

const CHARACTERS = [
  'a',
  ':',
  '#',
  ' ',
  'é',
  'ツ',
  '😀',
  '\ud800',
  '\udc00',
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\ufeff',
];
const texts = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 40 });
const encodings = fc.constantFrom<PositionEncoding>('utf-8', 'utf-16');

const measure = (text: string, encoding: PositionEncoding): number =>
  encoding === 'utf-16' ? text.length : Buffer.byteLength(text);

/** The naive oracle: the offsets of a text that have positions, in whole characters, and their positions. */
function listPositions(text: string, encoding: PositionEncoding) {
  let offset = 0;
  return text.split(/(?<=\n)|(?<=\r)(?!\n)/).flatMap((line, index, all) => {
    const content = line.replace(/\r?\n$|\r$/, '');
    const lines = [...content, ''].map((_char, at, characters) => {
      const before = characters.slice(0, at).join('');
      return {
        offset: offset + before.length,
        position: { line: index, character: measure(before, encoding) },
      };
    });
    offset += line.length;
    // A text that ends with a line end has an empty line after it.
    const isLast = index === all.length - 1;
    return isLast && content !== line
      ? [...lines, { offset, position: { line: index + 1, character: 0 } }]
      : lines;
  });
}

test('offsets and positions of any text are converted in both directions, in UTF-8 and UTF-16', () => {
  fc.assert(
    fc.property(texts, encodings, (text, encoding) => {
      const lines = new TextLines(text, encoding);
      for (const { offset, position } of listPositions(text, encoding)) {
        expect(lines.toPosition(offset)).toEqual(position);
        expect(lines.toOffset(position)).toBe(offset);
      }
    }),
  );
});

test('changes of ranges give the same text as changes of the whole text', () => {
  fc.assert(
    fc.property(texts, texts, encodings, fc.nat(), fc.nat(), (text, inserted, encoding, first, second) => {
      const positions = listPositions(text, encoding);
      const [start, end] = [first % positions.length, second % positions.length].map(
        (index) => positions[index] as (typeof positions)[number],
      ) as [(typeof positions)[number], (typeof positions)[number]];
      const [from, to] = start.offset <= end.offset ? [start, end] : [end, start];
      const range = { start: start.position, end: end.position };
      const changed = RobotsDocument.open('file:///r', 1, text, encoding).change(
        [{ range, text: inserted }],
        2,
      );
      expect(changed.lines.text).toBe(text.slice(0, from.offset) + inserted + text.slice(to.offset));
      expect(changed.version).toBe(2);
    }),
  );
});

test('a position beyond the end of a line is its end, and one beyond the last line is the end of the text', () => {
  for (const encoding of ['utf-8', 'utf-16'] as const) {
    const lines = new TextLines('aé\r\nb', encoding);
    expect(lines.toOffset({ line: 0, character: 99 })).toBe(2);
    expect(lines.toOffset({ line: 9, character: 9 })).toBe(5);
  }
});

test('a position within a character is the start of the character', () => {
  expect(new TextLines('😀', 'utf-8').toOffset({ line: 0, character: 2 })).toBe(0);
  expect(new TextLines('😀', 'utf-16').toPosition(1)).toEqual({ line: 0, character: 0 });
});

test('the server selects the first encoding of the list of a client that it has', () => {
  expect(selectEncoding(['utf-32', 'utf-8', 'utf-16'])).toBe('utf-8');
  expect(selectEncoding(['utf-16', 'utf-8'])).toBe('utf-16');
  expect(selectEncoding(['utf-32'])).toBe('utf-16');
  expect(selectEncoding()).toBe('utf-16');
});

/** The text of a record's value in the document, by the range of the record. */
function readValue(text: string, line: number, encoding: PositionEncoding): string {
  const document = RobotsDocument.open('file:///r', 1, text, encoding);
  const record = document.findRecord(line);
  if (record === undefined) throw new Error(`no record on line ${line}`);
  const { start, end } = document.toRange({ line, column: record.valueColumn, length: record.text.length });
  return document.lines.text.slice(document.lines.toOffset(start), document.lines.toOffset(end));
}

test.each<PositionEncoding>(['utf-8', 'utf-16'])(
  'the ranges of values are exact in %s: after other characters, line ends, lone surrogates, a byte order mark and its parts, and before NUL',
  (encoding) => {
    const value = '/é😀\ud800x';
    for (const end of ['\n', '\r', '\r\n'])
      expect(readValue(`# 😀${end}\tDisallow: ${value} # c${end}`, 2, encoding)).toBe(value);
    expect(readValue(`Disallow: ${value}\0/y`, 1, encoding)).toBe(value);
    // U+FEFF is the mark; U+FEC0 and U+F000 begin with two bytes and one byte of it.
    for (const first of ['', '\ufeff', '\ufec0', '\uf000', '\ufffd', '\uefff'])
      expect(readValue(`${first}Disallow: ${value}`, 1, encoding)).toBe(value);
  },
);

test('the range of a value that the length limit of lines cuts in a character ends before the character', () => {
  const text = `Disallow: /${'a'.repeat(16_663 - 12)}😀`;
  for (const encoding of ['utf-8', 'utf-16'] as const)
    expect(readValue(text, 1, encoding)).toBe(text.slice('Disallow: '.length, -2));
});
