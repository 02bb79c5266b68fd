/**
 * Bodies: types, encodings and what is compressed. What cannot be read says nothing.
 *
 * @module
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Case, html, type Served } from './case.ts';

const DOCUMENT = html('<meta name="robots" content="noindex">', '<a href="/body/linked">on</a>');
const LEADS = ['link /body/linked'];

function read(name: string, served: Served): Case {
  return { url: `/body/${name}`, served, noindex: 'meta *: noindex', reasons: 'noindex', leads: LEADS };
}

const unread = (name: string, served: Served): Case => ({ url: `/body/${name}`, served, leads: [] });

const type = (value: string | null, body: string | Uint8Array = DOCUMENT, encoding?: string): Served => ({
  headers: [
    ['Content-Type', value],
    ...(encoding === undefined ? [] : [['Content-Encoding', encoding] as const]),
  ],
  body,
});

const utf16 = Buffer.from(DOCUMENT, 'utf16le');
const packed = (encoding: string, body: Uint8Array): Served => type('text/html', body, encoding);
/** A link with an umlaut, in one of the encodings that have it in one byte. */
const LATIN = Buffer.from('<!doctype html><title>\xfc</title><p><a href="/body/\xfc">\xfc</a>', 'latin1');

export const BODY_CASES: readonly Case[] = [
  { url: '/body/linked', served: { body: html() }, isListed: false, depth: 3 },
  { url: '/body/%C3%BC', served: { body: html() }, isListed: false, depth: 3 },
  // Types.
  read('type-html', type('text/html')),
  read('type-case', type('Text/HTML; Charset="UTF-8"')),
  read('type-xhtml', type('application/xhtml+xml')),
  read('type-none', type(null)),
  unread('type-text', type('text/plain')),
  unread('type-xml', type('application/xml')),
  unread('type-bytes', type('application/octet-stream')),
  unread('type-image', type('image/png')),
  // Encodings: tags are ASCII, so that only those encodings matter that write ASCII in another way.
  read('charset-latin1', type('text/html; charset=iso-8859-1')),
  read('charset-unknown', type('text/html; charset=no-such-thing')),
  read('charset-wrong', type('text/html; charset=shift_jis')),
  read('charset-mark', type('text/html; charset=utf-16le', `\ufeff${DOCUMENT}`)),
  read('charset-utf16', type('text/html; charset=utf-16le', utf16)),
  read('charset-utf16-mark', type('text/html', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]))),
  unread('charset-utf16-unsaid', type('text/html', utf16)),
  unread('charset-utf8-as-utf16', type('text/html; charset=utf-16le', Buffer.from(DOCUMENT))),
  {
    ...unread('charset-latin1-link', type('text/html; charset=iso-8859-1', LATIN)),
    leads: ['link /body/%C3%BC'],
  },
  {
    ...unread(
      'charset-utf8-link',
      type('text/html; charset=utf-8', '<!doctype html><p><a href="/body/ü">ü</a>'),
    ),
    leads: ['link /body/%C3%BC'],
  },
  {
    ...unread(
      'charset-in-meta',
      type('text/html', '<!doctype html><meta charset="utf-8"><p><a href="/body/ü">ü</a>'),
    ),
    leads: ['link /body/%C3%BC'],
  },
  // Bytes that are no UTF-8 do no harm to what stands beside them.
  read(
    'charset-broken',
    type('text/html; charset=utf-8', Buffer.concat([Buffer.from([0xff, 0x80, 0xc3]), Buffer.from(DOCUMENT)])),
  ),
  read('nul-bytes', type('text/html; charset=utf-8', DOCUMENT.replace('Text.', 'Text\0\0.'))),
  // Compressed.
  read('gzip', packed('gzip', gzipSync(DOCUMENT))),
  read('x-gzip', packed('x-gzip', gzipSync(DOCUMENT))),
  read('brotli', packed('br', brotliCompressSync(DOCUMENT))),
  read('deflate', packed('deflate', deflateSync(DOCUMENT))),
  read('gzip-twice', packed('gzip, gzip', gzipSync(gzipSync(DOCUMENT)))),
  read('identity', packed('identity', Buffer.from(DOCUMENT))),
];
