import { describe, expect, test } from 'vitest';
import { decodeHtml } from '../../src/html/charset.ts';

/** Converts a byte string to bytes. */
const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** Detects the encoding in which a document is decoded, by the result for the bytes of é and ツ in several encodings. */
function getEncoding(start: string, contentType?: string): string {
  const text = decodeHtml(bytes(`${start}\xc3\xa9 \xe9 \x83\x63`), contentType);
  if (text.endsWith('é \ufffd \ufffdc')) return 'utf-8';
  if (text.endsWith('Ã© é ƒc')) return 'windows-1252';
  if (text.endsWith('ﾃｩ \ufffd ツ')) return 'shift_jis';
  if (text.endsWith('ĂŠ é \x83c')) return 'iso-8859-2';
  return text;
}

/** Name, start of the document, Content-Type, encoding. The cases follow the HTML Standard, 13.2.3. */
const ROWS = [
  ['no declaration', '', undefined, 'windows-1252'],
  ['a charset in quotes', '', 'text/html;charset="UTF-8"', 'utf-8'],
  ['a charset among parameters', '', 'text/html; x=y; Charset=utf8; z', 'utf-8'],
  ['an unknown charset', '<meta charset=utf-8>', 'text/html; charset=nonsense', 'utf-8'],
  ['a charset that is replaced', '<meta charset=utf-8>', 'text/html; charset=iso-2022-kr', 'utf-8'],
  ['latin1 is windows-1252', '', 'text/html; charset=ISO-8859-1', 'windows-1252'],
  ['another charset', '', 'text/html; charset=Shift_JIS', 'shift_jis'],
  ['a header before a meta element', '<meta charset=utf-8>', 'text/html; charset=shift_jis', 'shift_jis'],
  ['a mark before all', '\xef\xbb\xbf<meta charset=shift_jis>', 'text/html; charset=latin1', 'utf-8'],
  ['meta without quotes', '<meta charset=utf-8>', undefined, 'utf-8'],
  ['meta with a slash', '<meta/charset=utf-8>', undefined, 'utf-8'],
  [
    'meta after other tags',
    '<html lang="a>b"><head x=y><title>t</title><meta charset=utf-8>',
    undefined,
    'utf-8',
  ],
  [
    'meta with a pragma',
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    undefined,
    'utf-8',
  ],
  [
    'meta with a pragma after its content',
    '<meta content="charset=utf-8" http-equiv=content-type>',
    undefined,
    'utf-8',
  ],
  [
    'meta with a content and no pragma',
    '<meta content="text/html; charset=utf-8">',
    undefined,
    'windows-1252',
  ],
  ['meta with an unknown charset', '<meta charset=nonsense><meta charset=utf-8>', undefined, 'utf-8'],
  ['the first meta counts', '<meta charset=shift_jis><meta charset=utf-8>', undefined, 'shift_jis'],
  ['the first attribute counts', '<meta charset=utf-8 charset=shift_jis>', undefined, 'utf-8'],
  ['utf-16 cannot be', '<meta charset=utf-16>', undefined, 'utf-8'],
  ['user-defined', '<meta charset=x-user-defined>', undefined, 'windows-1252'],
  ['meta in a comment', '<!-- <meta charset=utf-8> -->', undefined, 'windows-1252'],
  ['meta after an abruptly closed comment', '<!--><meta charset=utf-8>', undefined, 'utf-8'],
  ['meta in a comment that does not end', '<!-- <meta charset=utf-8>', undefined, 'windows-1252'],
  ['meta in an attribute', '<a title="<meta charset=shift_jis>"><meta charset=utf-8>', undefined, 'utf-8'],
  ['meta in a script counts', '<script>"<meta charset=utf-8>"</script>', undefined, 'utf-8'],
  ['metadata is not meta', '<metadata charset=utf-8>', undefined, 'windows-1252'],
  ['meta far away', `${' '.repeat(1020)}<meta charset=utf-8>`, undefined, 'windows-1252'],
  ['meta that is just in time', `${' '.repeat(1000)}<meta charset=utf-8>`, undefined, 'utf-8'],
  ['an XML declaration', '<?xml version="1.0" encoding="utf-8"?>', undefined, 'utf-8'],
] as const;

describe('the encoding', () => {
  test.each(ROWS)('%s', (_name, start, contentType, expected) => {
    expect(getEncoding(start, contentType)).toBe(expected);
  });
});

test.each([
  ['little end first', '\xff\xfea\0\xe9\0'],
  ['big end first', '\xfe\xff\0a\0\xe9'],
  ['UTF-8', '\xef\xbb\xbfa\xc3\xa9'],
])('a byte order mark is not part of the text: %s', (_name, text) => {
  expect(decodeHtml(bytes(text), 'text/html; charset=shift_jis')).toBe('aé');
});

test.each([
  ['<\0?\0x\0m\0l\0', undefined, '<?xml'],
  ['\0<\0?\0x\0m\0l', undefined, '<?xml'],
])('UTF-16 without a mark, %j', (text, contentType, expected) => {
  expect(decodeHtml(bytes(text), contentType)).toBe(expected);
});

test('all bytes of windows-1252 are decoded by the table of the Encoding Standard', () => {
  const text = decodeHtml(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    'text/html',
  );
  expect(text.slice(0, 0x80)).toBe(Buffer.from(text).toString('latin1').slice(0, 0x80));
  expect(text.slice(0x80, 0xa0)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ');
  expect([...text.slice(0xa0)].map((char) => char.charCodeAt(0))).toEqual(
    Array.from({ length: 96 }, (_, index) => 0xa0 + index),
  );
});
