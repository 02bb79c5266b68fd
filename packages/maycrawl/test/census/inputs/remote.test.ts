import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { findInputs, InputTotals, type RemoteOptions, readInput, readPathList } from 'maycrawl/census';
import { afterEach, describe, expect, test } from 'vitest';
import { serve, serveRaw, type TestServer } from '../../../../client/test/support/server.ts';
import { type FileServerOptions, serveFile } from '../support/file-server.ts';
import { toMembers, writeRobotsTxt } from '../support/warc.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const start = async <Server extends TestServer>(starting: Promise<Server>): Promise<Server> => {
  const site = await starting;
  open.push(site);
  return site;
};

/** An archive that does not fit into one chunk. */
const ARCHIVE = toMembers(
  Array.from({ length: 60 }, (_, index) =>
    writeRobotsTxt(`site-${index}.example`, `User-agent: *\n# ${randomBytes(4_000).toString('hex')}`),
  ),
);
const SHA256 = createHash('sha256').update(ARCHIVE).digest('hex');

/** Reads an archive at a URL. */
const read = async (url: string, remote: Partial<RemoteOptions> = {}, signal?: AbortSignal) => {
  const totals = new InputTotals();
  const hosts: string[] = [];
  const [file] = await findInputs([url]);
  if (file === undefined) throw new TypeError('no input');
  const options = { userAgent: 'test', openOrigins: [url], retries: { firstPause: 1 }, ...remote };
  for await (const batch of readInput(file, totals, { remote: options, signal }))
    for (const capture of batch) hosts.push(new URL(capture.url).hostname);
  const { problems, ...data } = totals.toData();
  return { ...data, hosts, messages: problems.map(({ code, message }) => `${code}: ${message}`) };
};

const readFrom = async (options: FileServerOptions, remote: Partial<RemoteOptions> = {}) => {
  const site = await start(serveFile(ARCHIVE, options));
  const result = await read(`${site.origin}/crawl.warc.gz`, remote);
  return { ...result, ranges: site.ranges, received: site.received };
};

const ALL_HOSTS = Array.from({ length: 60 }, (_, index) => `site-${index}.example`);
const WHOLE = { hosts: ALL_HOSTS, sha256: SHA256, inputBytes: ARCHIVE.length, messages: [] };

describe('an archive at a URL', () => {
  test('is read as a file is', async () => {
    const { received, ...result } = await readFrom({});
    expect(result).toMatchObject({ ...WHOLE, ranges: [undefined] });
    expect(received[0]?.headers).toMatchObject({ 'user-agent': 'test', 'accept-encoding': 'identity' });
  });

  test('has its format by the path, and no user name', async () => {
    expect(await findInputs(['https://a.example/x.tar.gz?version=2#a'])).toEqual([
      { path: 'https://a.example/x.tar.gz?version=2#a', format: 'tar', bytes: 0 },
    ]);
    await expect(findInputs(['https://a.example/x'])).rejects.toThrow('a.example/x: unknown format');
    await expect(findInputs(['https://a.example/robots.txt'])).rejects.toThrow('not an archive');
    await expect(findInputs(['https://'])).rejects.toThrow('https://: not a URL');
    const failure = await findInputs(['https://me:secret@a.example/x.warc']).catch((error: Error) => error);
    expect(failure).toMatchObject({ message: expect.not.stringContaining('secret') });
  });

  test('is not requested without options', async () => {
    const totals = new InputTotals();
    const [file] = await findInputs(['https://a.example/x.warc']);
    if (file === undefined) throw new TypeError('no input');
    for await (const _ of readInput(file, totals));
    expect(totals.toData().problemCounts).toEqual({ 'unreadable-input': 1 });
  });
});

describe('a broken connection', () => {
  test('is resumed where it broke', async () => {
    const { ranges, received, ...result } = await readFrom({ breaksAfter: 70_000 });
    expect(result).toMatchObject(WHOLE);
    const count = Math.ceil(ARCHIVE.length / 70_000);
    expect(ranges).toEqual([
      undefined,
      ...Array.from({ length: count - 1 }, (_, index) => `bytes=${(index + 1) * 70_000}-`),
    ]);
    expect(received.at(-1)?.headers['if-range']).toBe('"v1"');
  });

  test('is resumed without a validator, and without a condition on a weak one', async () => {
    for (const etag of [null, 'W/"v1"']) {
      const { received, ...result } = await readFrom({ breaksAfter: 100_000, etag });
      expect(result).toMatchObject(WHOLE);
      expect(received.at(-1)?.headers['if-range']).toBeUndefined();
    }
  });

  test('begins again, and skips what was read, if the server has no ranges', async () => {
    let count = 0;
    const getFile = (): Buffer => ARCHIVE;
    const site = await start(
      serve((_request, response) => {
        count++;
        response.writeHead(200, { 'content-length': ARCHIVE.length });
        if (count < 4) response.write(getFile().subarray(0, count * 50_001), () => response.destroy());
        else response.end(getFile());
      }),
    );
    expect(await read(`${site.origin}/a.warc.gz`)).toMatchObject(WHOLE);
    expect(count).toBe(4);
  });

  test('that breaks at the same place each time is a failure', async () => {
    const result = await readFrom({ hasRanges: false, breaksAfter: 50_000 });
    expect(result).toMatchObject({ sha256: null, problemCounts: { 'unreadable-input': 1 } });
    expect(result.ranges).toHaveLength(6);
    expect(result.messages.at(-1)).toMatch(/^unreadable-input: .*after 6 requests$/);
    // What precedes the failure is read, also the start of the record in which it is.
    expect(result.hosts).toEqual(ALL_HOSTS.slice(0, result.hosts.length));
    expect(result.hosts.length).toBeGreaterThan(3);
  });

  test.each([
    ['another length', true, (file: Buffer) => Buffer.concat([file, file])],
    ['another start', true, (file: Buffer) => Buffer.concat([Buffer.from('x'), file.subarray(1)])],
    [
      'another start, without ranges',
      false,
      (file: Buffer) => Buffer.concat([Buffer.from('x'), file.subarray(1)]),
    ],
    ['only another end', true, (file: Buffer) => Buffer.concat([file.subarray(0, -1), Buffer.from('x')])],
  ])(
    'of a file that changes is a failure, unless it has the same start: %s',
    async (name, hasRanges, change) => {
      let count = 0;
      const site = await start(
        serve((request, response) => {
          count++;
          const file = count === 1 ? ARCHIVE : change(ARCHIVE);
          const etag = `"v${count}"`;
          const isPart = hasRanges && request.headers['if-range'] === etag;
          response.writeHead(isPart ? 206 : 200, { etag, 'content-length': file.length });
          if (count === 1) response.write(file.subarray(0, 90_000), () => response.destroy());
          else response.end(file);
        }),
      );
      const { messages, sha256 } = await read(`${site.origin}/a.warc.gz`);
      expect(count).toBe(2);
      if (name === 'only another end')
        expect(sha256).toBe(createHash('sha256').update(change(ARCHIVE)).digest('hex'));
      else expect(messages.at(-1)).toBe('unreadable-input: the file changed while it was read');
    },
  );
});

describe('a server that lies', () => {
  test('about the length has its response read to the end, and is a failure', async () => {
    const long = await start(
      serve((_request, response) => {
        response.writeHead(200, { 'content-length': ARCHIVE.length + 10 });
        response.write(ARCHIVE, () => response.destroy());
      }),
    );
    const result = await read(`${long.origin}/a.warc.gz`);
    expect(result).toMatchObject({
      hosts: ALL_HOSTS,
      sha256: null,
      problemCounts: { 'unreadable-input': 1 },
    });
    const short = await start(
      serveRaw((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${ARCHIVE.length - 50}\r\n\r\n`);
        socket.end(ARCHIVE);
      }),
    );
    expect(await read(`${short.origin}/a.warc.gz`)).toMatchObject({
      problemCounts: { 'truncated-member': 1 },
      inputBytes: ARCHIVE.length - 50,
    });
  });

  test('about the range is a failure', async () => {
    const site = await start(
      serve((_request, response) => {
        response.writeHead(206, { 'content-range': `bytes 5-${ARCHIVE.length - 1}/${ARCHIVE.length}` });
        response.end(ARCHIVE.subarray(5));
      }),
    );
    expect((await read(`${site.origin}/a.warc.gz`)).messages).toEqual([
      'unreadable-input: the server sent another part of the file than the requested one',
    ]);
    expect(site.requests).toHaveLength(1);
  });
});

describe('requests', () => {
  test('of private addresses are refused, unless the operator opens them', async () => {
    const other = await start(serveFile(ARCHIVE));
    const target = other.origin.replace('127.0.0.1', '127.0.0.2');
    const site = await start(
      serve((_request, response) => void response.writeHead(302, { location: `${other.origin}/b` }).end()),
    );
    const url = `${site.origin}/a.warc.gz`;
    expect((await read(url)).messages).toEqual([
      'unreadable-input: private-address: not a public address: 127.0.0.1',
    ]);
    expect((await read(url, { openOrigins: [] })).messages).toEqual([
      'unreadable-input: private-address: not a public address: 127.0.0.1',
    ]);
    expect((await read(`${target}/a.warc.gz`, { openOrigins: [site.origin] })).messages).toEqual([
      'unreadable-input: private-address: not a public address: 127.0.0.2',
    ]);
    expect(other.requests).toEqual([]);
    expect(await read(url, { allowPrivateAddresses: true })).toMatchObject(WHOLE);
  });

  test.each([403, 404, 410, 416])('are not repeated after status %s', async (status) => {
    const site = await start(serve((_request, response) => void response.writeHead(status).end()));
    expect((await read(`${site.origin}/a.warc`)).messages).toEqual([`unreadable-input: status ${status}`]);
    expect(site.requests).toHaveLength(1);
  });

  test.each([408, 429, 500, 503])('are repeated after status %s', async (status) => {
    let count = 0;
    const site = await start(
      serve((_request, response) => {
        if (++count === 3) response.end(ARCHIVE);
        else response.writeHead(status).end('<Error/>');
      }),
    );
    expect(await read(`${site.origin}/a.warc.gz`)).toMatchObject(WHOLE);
    count = 10;
    expect(
      (await read(`${site.origin}/a.warc.gz`, { retries: { count: 2, firstPause: 1 } })).messages,
    ).toEqual([`unreadable-input: status ${status}, after 3 requests`]);
  });

  test('wait as long as Retry-After says', async () => {
    const times: number[] = [];
    const site = await start(
      serve((_request, response) => {
        times.push(performance.now());
        if (times.length > 1) response.end(ARCHIVE);
        else response.writeHead(503, { 'retry-after': '1' }).end();
      }),
    );
    expect(await read(`${site.origin}/a.warc.gz`)).toMatchObject(WHOLE);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990);
  });

  test('end after redirects in a circle', async () => {
    const site = await start(
      serve((_request, response) => void response.writeHead(302, { location: '/a.warc' }).end()),
    );
    expect((await read(`${site.origin}/a.warc`)).messages).toEqual([
      'unreadable-input: status 302, a redirect that cannot be followed: loop',
    ]);
  });
});

describe('a response without progress', () => {
  const once = { timeout: 300, retries: { count: 0 } };

  test('ends: no head, no body, and one byte after another', async () => {
    const behaviours = [
      () => {},
      (send: (text: string) => void) => send('HTTP/1.1 200 OK\r\n\r\nWARC/1.0'),
      (send: (text: string) => void) => {
        send('HTTP/1.1 200 OK\r\n\r\n');
        const timer = setInterval(() => send('#'), 20);
        open.push({ close: async () => clearInterval(timer) });
      },
    ];
    for (const behave of behaviours) {
      const site = await start(serveRaw((socket) => behave((text) => void socket.write(text))));
      expect((await read(`${site.origin}/a.warc`, once)).messages).toContain(
        'unreadable-input: the server sent less than 16384 bytes within 300 ms, after 1 requests',
      );
    }
  });

  test('ends when the caller aborts', async () => {
    const controller = new AbortController();
    const site = await start(serveRaw(() => controller.abort(new Error('stopped'))));
    await expect(read(`${site.origin}/a.warc`, {}, controller.signal)).rejects.toThrow('stopped');
  });
});

describe('a list of inputs', () => {
  test('can be at a URL, compressed, and relative to another URL or folder', async () => {
    const text = '\uFEFFcrawl-data/a.warc.gz\r\n\n  /b.warc.gz\nhttps://c.example/c.warc\n';
    const site = await start(serveFile(gzipSync(text)));
    const list = `${site.origin}/robotstxt.paths.gz`;
    const options = { remote: { userAgent: 'test', openOrigins: [list] } };
    const rest = ['/b.warc.gz', 'https://c.example/c.warc'];
    expect(await readPathList({ list, base: 'https://data.example' }, options)).toEqual([
      'https://data.example/crawl-data/a.warc.gz',
      ...rest,
    ]);
    expect(await readPathList({ list, base: 'mirror/' }, options)).toEqual([
      'mirror/crawl-data/a.warc.gz',
      ...rest,
    ]);
    expect(await readPathList({ list }, options)).toEqual(['crawl-data/a.warc.gz', ...rest]);
  });

  test('that is damaged, missing or too long is refused', async () => {
    const remote = { userAgent: 'test', allowPrivateAddresses: true };
    const readList = async (file: Buffer) => {
      const site = await start(serveFile(file));
      return readPathList({ list: `${site.origin}/list` }, { remote });
    };
    const zipped = gzipSync(randomBytes(1000));
    await expect(readList(zipped.subarray(0, 800))).rejects.toThrow(/the list is damaged/);
    await expect(readList(gzipSync(Buffer.alloc(101_000_000, 'a\n')))).rejects.toThrow(
      /more than 100000000 bytes/,
    );
    await expect(readPathList({ list: '/none' })).rejects.toThrow(/\/none: the list cannot be read: ENOENT/);
  });
});
