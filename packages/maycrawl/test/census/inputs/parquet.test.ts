import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type ParquetWriteOptions, parquetWriteBuffer } from 'hyparquet-writer';
import { findInputs, InputTotals, type RemoteOptions, readInput } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import { serveFile } from '../support/file-server.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-parquet-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = async (path: string, remote?: Partial<RemoteOptions>) => {
  const totals = new InputTotals();
  const captures = [];
  const [file] = await findInputs([path]);
  if (file === undefined) throw new TypeError('no input');
  const options = {
    userAgent: 'test',
    allowPrivateAddresses: true,
    retries: { count: 2, firstPause: 1 },
    ...remote,
  };
  for await (const batch of readInput(file, totals, { remote: options }))
    for (const { url, status, time, body, offset } of batch)
      captures.push({ url, status, time, body: body === null ? null : Buffer.from(body).toString(), offset });
  const { problems, ...data } = totals.toData();
  return {
    ...data,
    captures,
    messages: problems.map(({ code, offset, message }) => [code, offset, message]),
  };
};

const write = (table: ArrayBuffer): string => {
  const path = join(folder, 'table.parquet');
  writeFileSync(path, new Uint8Array(table));
  return path;
};

const HOSTS = Array.from({ length: 300 }, (_, index) => `site-${index}.example`);
/** Creates a table in row groups of 100. */
const createTable = (options: Partial<ParquetWriteOptions> = {}): ArrayBuffer =>
  parquetWriteBuffer({
    columnData: [
      { name: 'other', data: HOSTS.map((_, index) => index), type: 'INT32' },
      { name: 'host', data: HOSTS, type: 'STRING' },
      { name: 'body', data: HOSTS.map((host) => `User-agent: *\nDisallow: /${host}`), type: 'STRING' },
    ],
    rowGroupSize: 100,
    ...options,
  });

describe('a Parquet table', () => {
  test('has a capture in each row', async () => {
    const path = write(createTable());
    const { captures, ...data } = await read(path);
    expect(captures).toHaveLength(300);
    expect(captures[299]).toEqual({
      ...{ url: 'https://site-299.example/robots.txt', status: null, time: null, offset: 299 },
      body: 'User-agent: *\nDisallow: /site-299.example',
    });
    const bytes = Buffer.from(createTable());
    expect(data).toMatchObject({
      ...{ records: { row: 300 }, messages: [], inputBytes: bytes.length },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  test('can have URLs, a status and a time of several types, and bodies of bytes; rows without them are problems', async () => {
    const at = Date.parse('2026-01-02T03:04:05Z');
    const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
    const columnData: ParquetWriteOptions['columnData'] = [
      {
        name: 'url',
        data: ['http://a.example/robots.txt', 'https://b.example:81/robots.txt', 'no URL', null].map(
          (each) => (each === null ? null : bytes(each)),
        ),
        type: 'BYTE_ARRAY',
      },
      { name: 'status', data: [200n, 404n, 200n, 200n], type: 'INT64' },
      { name: 'body', data: [bytes('User-agent: ä'), null, null, null], type: 'BYTE_ARRAY' },
    ];
    for (const time of [
      { name: 'time', data: [new Date(at), null, null, null], type: 'TIMESTAMP' },
      { name: 'time', data: [BigInt(at), null, null, null], type: 'INT64' },
      { name: 'time', data: ['2026-01-02T03:04:05Z', null, null, null], type: 'STRING' },
    ] as const) {
      const table = parquetWriteBuffer({ columnData: [...columnData, { ...time, data: [...time.data] }] });
      const { captures, messages } = await read(write(table));
      expect(captures).toEqual([
        { url: 'http://a.example/robots.txt', status: 200, time: at, body: 'User-agent: ä', offset: 0 },
        { url: 'https://b.example:81/robots.txt', status: 404, time: null, body: null, offset: 1 },
      ]);
      expect(messages).toEqual([
        ['invalid-row', 2, 'not an http or https URL: no URL'],
        ['invalid-row', 3, 'there is neither "url" nor "host"'],
      ]);
    }
  });

  test.each([
    ['GZIP', (page: Uint8Array) => gzipSync(page)],
    ['BROTLI', (page: Uint8Array) => brotliCompressSync(page)],
    ['ZSTD', toZstandard],
    ['LZ4_RAW', toLz4],
    ['UNCOMPRESSED', (page: Uint8Array) => page],
  ] as const)('can be compressed by %s', async (codec, compress) => {
    const { captures, messages } = await read(
      write(
        createTable({
          codec,
          compressors: { [codec]: (page: Uint8Array) => Uint8Array.from(compress(page)) },
        }),
      ),
    );
    expect(messages).toEqual([]);
    expect(captures).toHaveLength(300);
  });

  test('with an unknown compression is a problem for each row group', async () => {
    const table = createTable({ codec: 'LZO', compressors: { LZO: (page) => page } });
    expect((await read(write(table))).messages).toEqual(
      [0, 100, 200].map((row) => ['unsupported-compression', row, 'the compression LZO is not supported']),
    );
  });

  test('with damage in a row group has the rows of the others', async () => {
    const table = Buffer.from(
      createTable({ codec: 'GZIP', compressors: { GZIP: (page) => Uint8Array.from(gzipSync(page)) } }),
    );
    // The second row group.
    table.fill(0, Math.floor(table.length * 0.4), Math.floor(table.length * 0.5));
    const { captures, messages } = await read(write(Uint8Array.from(table).buffer));
    expect(captures).toHaveLength(200);
    expect(messages).toMatchObject([['damaged-table', 100, expect.anything()]]);
  });

  test('that is another file, cut off, or without the columns is unreadable', async () => {
    const columnData = [{ name: 'text', data: ['a'], type: 'STRING' as const }];
    expect((await read(write(parquetWriteBuffer({ columnData })))).messages).toEqual([
      ['unreadable-input', 0, 'the table needs the columns "body", and "url" or "host"; it has: text'],
    ]);
    const table = createTable();
    for (const bytes of [
      new ArrayBuffer(0),
      Uint8Array.from(Buffer.alloc(5_000, 'x')).buffer,
      table.slice(0, -20),
    ])
      expect((await read(write(bytes))).messages).toMatchObject([
        ['unreadable-input', 0, expect.stringContaining('not a Parquet file')],
      ]);
    expect(await read(join(folder, 'none.parquet')).catch((error: Error) => error.message)).toMatch(
      /no such file/,
    );
  });

  test('with too large a row group or page is not decompressed', async () => {
    const count = 5_000_000;
    const hosts = Array.from({ length: count }, () => 'a.example');
    const columnData = ['host', 'body'].map((name) => ({ name, data: hosts, type: 'STRING' as const }));
    const table = parquetWriteBuffer({ columnData, rowGroupSize: count, statistics: false });
    expect((await read(write(table))).messages).toEqual([
      [
        'damaged-table',
        0,
        expect.stringMatching(/^a row group has 5000000 rows and \d+ bytes; write smaller ones$/),
      ],
    ]);
  });
});

describe('a Parquet table at a URL', () => {
  test('is read in parts, without the other columns, and a broken part again', async () => {
    const filler = HOSTS.map((_, index) =>
      createHash('sha512').update(String(index)).digest('hex').repeat(20),
    );
    const table = Buffer.from(
      createTable({
        columnData: [
          { name: 'host', data: HOSTS, type: 'STRING' },
          { name: 'filler', data: filler, type: 'STRING' },
          { name: 'body', data: HOSTS, type: 'STRING' },
        ],
        codec: 'UNCOMPRESSED',
      }),
    );
    let count = 0;
    const site = await serveFile(table);
    const breaking = await serve((request, response) => {
      if (++count % 3 === 0) response.destroy();
      else response.writeHead(307, { location: `${site.origin}${request.url}` }).end();
    });
    try {
      const { captures, inputBytes, messages, sha256 } = await read(`${breaking.origin}/a.parquet`);
      expect({ count: captures.length, messages, sha256 }).toEqual({
        count: 300,
        messages: [],
        sha256: null,
      });
      expect(inputBytes).toBeLessThan(table.length * 0.8);
      expect(site.ranges.every((range) => range !== undefined)).toBe(true);
    } finally {
      await breaking.close();
      await site.close();
    }
  });

  test('needs a server with ranges, and a file that does not change', async () => {
    const whole = await serveFile(Buffer.from(createTable()), { hasRanges: false });
    const changing = await serveFile(Buffer.alloc(0), {
      getFile: (request) => Buffer.alloc(5_000 + request, 'x'),
    });
    try {
      expect((await read(`${whole.origin}/a.parquet`)).messages).toEqual([
        ['unreadable-input', 0, 'the server does not send parts of files; download the file first'],
      ]);
      expect((await read(`${changing.origin}/a.parquet`)).messages).toEqual([
        ['unreadable-input', 0, 'the file changed while it was read'],
      ]);
    } finally {
      await whole.close();
      await changing.close();
    }
  });
});

/** Writes a frame with blocks that are not compressed (RFC 8878 section 3.1). */
function toZstandard(page: Uint8Array): Uint8Array {
  const head = Buffer.from('28b52ffda000000000', 'hex');
  head.writeUInt32LE(page.length, 5);
  const blocks: Uint8Array[] = [head];
  for (let at = 0; at < page.length; at += 100_000) {
    const block = page.subarray(at, at + 100_000);
    const size = Buffer.alloc(4);
    size.writeUInt32LE((block.length << 3) | (at + 100_000 >= page.length ? 1 : 0));
    blocks.push(size.subarray(0, 3), block);
  }
  return Buffer.concat(blocks);
}

/** Writes a block of LZ4 that is one sequence of literals. */
function toLz4(page: Uint8Array): Uint8Array {
  const lengths: number[] = [];
  let rest = page.length - 15;
  for (; rest >= 255; rest -= 255) lengths.push(255);
  return Buffer.concat([Uint8Array.from([0xf0, ...lengths, rest]), page]);
}
