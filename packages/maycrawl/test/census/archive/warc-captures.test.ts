import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readCaptures } from '../support/read-warc.ts';
import { writeRecord, writeResponse, writeRobotsTxt } from '../support/warc.ts';

const BODY = 'User-agent: *\nDisallow: /private\n';

/** Reads the captures of one robots.txt whose response has these headers and this body. */
async function readOne(body: Buffer | string, http: readonly string[], headers: readonly string[] = []) {
  return readCaptures(writeRobotsTxt('example.com', body, { http, headers }));
}

test('a capture has the URL, the time, the status and the body', async () => {
  const { captures, totals } = await readCaptures(writeRobotsTxt('example.com:8080', BODY));
  expect(captures).toEqual([
    {
      url: 'http://example.com:8080/robots.txt',
      time: Date.UTC(2026, 0, 2, 3, 4, 5),
      status: 200,
      location: null,
      body: BODY,
      isTruncated: false,
      kind: 'response',
      hops: 0,
      input: 'test.warc',
      offset: 0,
    },
  ]);
  expect(totals).toMatchObject({ records: { response: 1 }, digests: 1, wrongDigests: 0, problems: [] });
});

test('bodies with chunks and content codings are decoded', async () => {
  const chunked = '5;name=value\r\nUser-\r\n1c\r\nagent: *\nDisallow: /private\n\r\n0\r\n\r\n';
  expect((await readOne(chunked, ['Transfer-Encoding: chunked'])).captures[0]).toMatchObject({
    body: BODY,
    isTruncated: false,
  });
  for (const [coding, bytes] of [
    ['gzip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
    ['deflate', deflateRawSync(BODY)],
    ['br', brotliCompressSync(BODY)],
  ] as const)
    expect((await readOne(bytes, [`Content-Encoding: ${coding}`])).captures[0]?.body).toBe(BODY);
  const both = gzipSync(BODY);
  const inChunks = Buffer.concat([
    Buffer.from(`${both.length.toString(16)}\r\n`),
    both,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  const result = await readOne(inChunks, ['Content-Encoding: gzip', 'Transfer-Encoding: chunked']);
  expect(result.captures[0]?.body).toBe(BODY);
});

test('bodies of Common Crawl, which are stored decoded, are not decoded again', async () => {
  const http = [
    'X-Crawler-Content-Encoding: gzip',
    'X-Crawler-Transfer-Encoding: chunked',
    `Content-Length: ${BODY.length}`,
  ];
  expect((await readOne(BODY, http)).captures[0]).toMatchObject({ body: BODY, isTruncated: false });
  // A robots.txt that looks like chunks.
  expect(
    (await readOne('5\r\nabcde\r\n0\r\n\r\n', ['X-Crawler-Content-Length: 10', 'Transfer-Encoding: chunked']))
      .captures[0]?.body,
  ).toBe('5\r\nabcde\r\n0\r\n\r\n');
});

test('a decoded body with the fields of its coding is read as it is', async () => {
  expect(
    (await readOne(BODY, ['Transfer-Encoding: chunked', 'Content-Encoding: gzip'])).captures[0]?.body,
  ).toBe(BODY);
});

test('the empty line too many of CC-MAIN-2018-34 is removed, also with a record that is two bytes longer than its length', async () => {
  const http = ['X-Crawler-Content-Encoding: gzip', `Content-Length: ${BODY.length}`];
  const block = writeResponse(`\r\n${BODY}`, http);
  for (const contentLength of [block.length, block.length - 2]) {
    const record = writeRecord({ url: 'http://a.example/robots.txt', block, contentLength });
    const { captures } = await readCaptures(Buffer.concat([record, writeRobotsTxt('b.example', BODY)]));
    expect(captures.map(({ body }) => body)).toEqual([BODY, BODY]);
  }
  // An empty line that belongs to the file remains.
  const own = await readOne(`\r\n${BODY}`, [`Content-Length: ${BODY.length + 2}`]);
  expect(own.captures[0]?.body).toBe(`\r\n${BODY}`);
});

test('response headers may be folded, repeated, and end with LF alone', async () => {
  const block = writeResponse(
    gzipSync(BODY),
    ['Content-Encoding:', '  gzip', 'Content-Encoding: identity', 'Location: /a', 'Location: /b'],
    { lineEnd: '\n' },
  );
  const { captures } = await readCaptures(writeRecord({ url: '<http://a.example/robots.txt>', block }));
  expect(captures[0]).toMatchObject({
    body: BODY,
    status: 200,
    location: '/a',
    url: 'http://a.example/robots.txt',
  });
});

test('interim responses are skipped', async () => {
  const block = Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), writeResponse(BODY)]);
  const { captures } = await readCaptures(writeRecord({ url: 'http://a.example/robots.txt', block }));
  expect(captures[0]).toMatchObject({ status: 200, body: BODY });
});

test.each(['', '<html>', 'HTTP/1.1 OK\r\n\r\n', 'HTTP/1.1 2000 OK\r\n\r\n', 'ICY 200 OK\r\n\r\n'])(
  'the block %j is no HTTP response',
  async (block) => {
    const { captures, codes } = await readCaptures(
      writeRecord({ url: 'http://a.example/robots.txt', block }),
    );
    expect(captures).toMatchObject([{ kind: 'invalid', status: null, body: null }]);
    expect(codes).toEqual(['invalid-response']);
  },
);

test('a body that cannot be decoded is reported, and has no text', async () => {
  const damaged = gzipSync(BODY).subarray(0, 20);
  const { captures, codes } = await readOne(damaged, ['Content-Encoding: gzip']);
  expect(captures[0]).toMatchObject({ body: null, isTruncated: true });
  expect(codes).toEqual(['undecodable-body']);
});

test('truncated responses are marked: by the archive, by their length, by their chunks', async () => {
  const results = await Promise.all([
    readOne(BODY, [], ['WARC-Truncated: length']),
    readOne(BODY, [`Content-Length: ${BODY.length + 1}`]),
    readOne('100\r\nUser-agent: *\n', ['Transfer-Encoding: chunked']),
  ]);
  expect(results.map(({ captures }) => captures[0]?.isTruncated)).toEqual([true, true, true]);
});

test('of a long body the first 512,001 bytes are read', async () => {
  const text = `${BODY}#`.repeat(100_000);
  const block = writeResponse(text);
  const [capture] = (await readCaptures(writeRecord({ url: 'http://a.example/robots.txt', block }))).captures;
  expect(capture?.body).toBe(text.slice(0, 512_001));
  const packed = await readOne(gzipSync(text), ['Content-Encoding: gzip']);
  expect(packed.captures[0]?.body).toBe(text.slice(0, 512_001));
});

test('revisits are captures without a body', async () => {
  const profile = (name: string) => [`WARC-Profile: http://netpreserve.org/warc/1.0/revisit/${name}`];
  const url = 'http://a.example/robots.txt';
  const { captures } = await readCaptures(
    Buffer.concat([
      writeRecord({
        type: 'revisit',
        url,
        block: writeResponse('', [], { status: 304 }),
        headers: profile('server-not-modified'),
      }),
      writeRecord({
        type: 'revisit',
        url,
        block: writeResponse(''),
        headers: profile('identical-payload-digest'),
      }),
      writeRecord({ type: 'revisit', url, block: '' }),
    ]),
  );
  expect(captures.map(({ kind, status, body }) => [kind, status, body])).toEqual([
    ['not-modified', 304, null],
    ['duplicate', 200, null],
    ['not-modified', null, null],
  ]);
});

test('a resource is a body without a response', async () => {
  const { captures } = await readCaptures(
    writeRecord({ type: 'resource', url: 'http://a.example/robots.txt', block: BODY }),
  );
  expect(captures).toMatchObject([{ kind: 'response', status: null, body: BODY }]);
});

test('pages are not captures, targets of redirects from a robots.txt are', async () => {
  const redirect = writeResponse('', ['Location: https://www.a.example/robots.txt?x#f'], { status: 301 });
  const again = writeResponse('', ['Location: ../robots/real.txt'], { status: 302 });
  const { captures, totals } = await readCaptures(
    Buffer.concat([
      writeRecord({ url: 'http://a.example/page', block: writeResponse('<html>') }),
      writeRecord({ url: 'http://a.example/robots.txt', block: redirect }),
      writeRecord({ url: 'https://www.a.example/robots.txt?x', block: again }),
      writeRecord({ url: 'https://www.a.example/robots/real.txt', block: writeResponse(BODY) }),
      writeRecord({ url: 'https://www.a.example/robots/real.txt', block: writeResponse(BODY) }),
      writeRecord({ url: 'dns:a.example', block: 'a.example. 300 IN A 192.0.2.1' }),
      writeRecord({ block: 'no URL' }),
      writeRecord({ url: 'https://a..%zz/robots.txt', block: writeResponse(BODY) }),
    ]),
  );
  expect(captures.map(({ url, hops }) => [url, hops])).toEqual([
    ['http://a.example/robots.txt', 0],
    ['https://www.a.example/robots.txt?x', 0],
    ['https://www.a.example/robots/real.txt', 1],
  ]);
  expect(totals.otherUrls).toBe(4);
  // A host that cannot be one is counted.
  expect(totals.problems).toMatchObject([
    { code: 'invalid-url', message: expect.stringContaining('a..%zz') },
  ]);
});

test('digests are checked: of the stored body, and of the decoded one', async () => {
  const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  const ofDecoded = /sha1:.*/.exec(writeRobotsTxt('a', BODY).toString())?.[0] ?? '';
  const results = await Promise.all([
    readOne(BODY, [], [`WARC-Payload-Digest: ${ofDecoded}`]),
    readOne(chunked, ['Transfer-Encoding: chunked'], [`WARC-Payload-Digest: ${ofDecoded}`]),
    // The base 32 digest of an empty body.
    readOne('', [], ['WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ']),
    readOne(BODY, [], ['WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ']),
    readOne(BODY, [], ['WARC-Payload-Digest: crc32:00000000']),
  ]);
  expect(results.map(({ totals: { digests, wrongDigests } }) => [digests, wrongDigests])).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ]);
});

test('random bytes after a valid record do no harm', async () => {
  const { captures, totals } = await readCaptures(
    Buffer.concat([writeRobotsTxt('a.example', BODY), randomBytes(200_000)]),
  );
  expect(captures).toHaveLength(1);
  expect(totals.problems.length).toBeGreaterThan(0);
});

test('a response without the end of its header, or with a very long header, has no body, and is truncated', async () => {
  const url = 'http://a.example/robots.txt';
  const head = 'HTTP/1.1 200 OK\r\nServer: x\r\n';
  const long = `${head}${'Set-Cookie: 0123456789\r\n'.repeat(15_000)}\r\n${BODY}`;
  for (const block of [head, long]) {
    const { captures } = await readCaptures(writeRecord({ url, block }));
    expect(captures).toMatchObject([{ status: 200, body: '', isTruncated: true }]);
  }
});

test('a body with another transfer coding than chunks is not read as text', async () => {
  const bytes = gzipSync(BODY);
  const chunks = Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  for (const http of [
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
  ])
    expect(await readOne(chunks, http)).toMatchObject({
      codes: ['undecodable-body'],
      captures: [{ isTruncated: true, body: null }],
    });
  expect((await readOne(BODY, ['Transfer-Encoding: identity'])).captures).toMatchObject([
    { isTruncated: false, body: BODY },
  ]);
});

test('UTF-8 in the URL of a record and in a Location is read as UTF-8', async () => {
  const redirect = writeResponse('', ['Location: /ü'], { status: 301 });
  const { captures } = await readCaptures(
    Buffer.concat([
      writeRecord({ url: 'http://bücher.example/robots.txt', block: redirect }),
      writeRecord({ url: 'http://bücher.example/ü', block: writeResponse(BODY) }),
    ]),
  );
  expect(captures.map(({ url, location, hops }) => [url, location, hops])).toEqual([
    ['http://xn--bcher-kva.example/robots.txt', '/ü', 0],
    ['http://xn--bcher-kva.example/%C3%BC', null, 1],
  ]);
});

test('only a redirect has a target', async () => {
  const { captures } = await readCaptures(
    Buffer.concat([
      writeRecord({
        url: 'http://a.example/robots.txt',
        block: writeResponse(BODY, ['Location: /page']),
      }),
      writeRecord({ url: 'http://a.example/page', block: writeResponse('<html>') }),
    ]),
  );
  expect(captures.map(({ url }) => url)).toEqual(['http://a.example/robots.txt']);
});

test('a revisit of a redirect has its target', async () => {
  const { captures } = await readCaptures(
    Buffer.concat([
      writeRecord({
        type: 'revisit',
        url: 'http://a.example/robots.txt',
        block: writeResponse('', ['Location: /other'], { status: 301 }),
        headers: ['WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest'],
      }),
      writeRecord({ url: 'http://a.example/other', block: writeResponse(BODY) }),
    ]),
  );
  expect(captures.map(({ kind, status, location, hops }) => [kind, status, location, hops])).toEqual([
    ['duplicate', 301, '/other', 0],
    ['response', 200, null, 1],
  ]);
});
