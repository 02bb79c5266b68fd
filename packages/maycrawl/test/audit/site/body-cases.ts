// Bodies: media types, encodings and compression. A body that cannot be read has no directives.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Case, html, type Served } from './case.ts';

const DOCUMENT = html('<meta name="robots" content="noindex">', '<a href="/body/linked">on</a>');
const LEADS = ['link /body/linked'];

function createReadCase(name: string, served: Served): Case {
  return { url: `/body/${name}`, served, noindex: 'meta *: noindex', reasons: 'noindex', links: LEADS };
}

const createUnreadCase = (name: string, served: Served): Case => ({
  url: `/body/${name}`,
  served,
  links: [],
});

const type = (value: string | null, body: string | Uint8Array = DOCUMENT, encoding?: string): Served => ({
  headers: [
    ['Content-Type', value],
    ...(encoding === undefined ? [] : [['Content-Encoding', encoding] as const]),
  ],
  body,
});

const utf16 = Buffer.from(DOCUMENT, 'utf16le');
const packed = (encoding: string, body: Uint8Array): Served => type('text/html', body, encoding);
/** A link with an umlaut, in one of the encodings that encode it in one byte. */
const LATIN = Buffer.from('<!doctype html><title>\xfc</title><p><a href="/body/\xfc">\xfc</a>', 'latin1');

export const BODY_CASES: readonly Case[] = [
  { url: '/body/linked', served: { body: html() }, isListed: false, depth: 3 },
  { url: '/body/%C3%BC', served: { body: html() }, isListed: false, depth: 3 },
  // Media types.
  createReadCase('type-html', type('text/html')),
  createReadCase('type-xhtml', type('application/xhtml+xml')),
  createReadCase('type-none', type(null)),
  createUnreadCase('type-text', type('text/plain')),
  createUnreadCase('type-image', type('image/png')),
  // Encodings: tags are ASCII, so only encodings that are not supersets of ASCII have an effect.
  createReadCase('charset-latin1', type('text/html; charset=iso-8859-1')),
  createReadCase('charset-mark', type('text/html; charset=utf-16le', `\ufeff${DOCUMENT}`)),
  createReadCase('charset-utf16', type('text/html; charset=utf-16le', utf16)),
  {
    ...createUnreadCase('charset-latin1-link', type('text/html; charset=iso-8859-1', LATIN)),
    links: ['link /body/%C3%BC'],
  },
  // Invalid UTF-8 does not affect the text around it.
  createReadCase(
    'charset-broken',
    type('text/html; charset=utf-8', Buffer.concat([Buffer.from([0xff, 0x80, 0xc3]), Buffer.from(DOCUMENT)])),
  ),
  createReadCase('nul-bytes', type('text/html; charset=utf-8', DOCUMENT.replace('Text.', 'Text\0\0.'))),
  // Compression.
  createReadCase('gzip', packed('gzip', gzipSync(DOCUMENT))),
  createReadCase('brotli', packed('br', brotliCompressSync(DOCUMENT))),
  createReadCase('gzip-twice', packed('gzip, gzip', gzipSync(gzipSync(DOCUMENT)))),
];
