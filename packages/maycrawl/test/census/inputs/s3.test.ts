import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CensusSummary,
  findInputs,
  InputTotals,
  type RemoteOptions,
  readInput,
  type S3Options,
} from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, serveRaw } from '../../../../client/test/support/server.ts';
import { createS3Request } from '../../../src/census/inputs/remote/s3-requests.ts';
import { ownCache, run } from '../../support/run.ts';
import { KEYS, REGION, type S3Server, startS3 } from '../support/s3-server.ts';
import { toMembers, writeRobotsTxt } from '../support/warc.ts';

const ARCHIVE = toMembers(
  Array.from({ length: 500 }, (_, index) => writeRobotsTxt(`s${index}.example`, `User-agent: *\n# ${index}`)),
);
/** Characters that a URL encodes, or a signature. */
const KEY = "crawl (1)/a+b c!'*~ä.warc.gz";
const SIGNED: S3Options = { ...KEYS, region: REGION };

let folder: string;
let server: S3Server;
let endpoint: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-s3-'));
  server = await startS3(join(folder, 'store'));
  endpoint = server.origin;
  await server.put('private', KEY, ARCHIVE);
  await server.put('public', 'a.warc.gz', ARCHIVE);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = async (s3: S3Options, path = `s3://private/${KEY}`, remote: Partial<RemoteOptions> = {}) => {
  const totals = new InputTotals();
  let captures = 0;
  const [file] = await findInputs([path]);
  if (file === undefined) throw new TypeError('no input');
  const options = {
    ...{ userAgent: 'test', allowPrivateAddresses: true, retries: { count: 1, firstPause: 1 }, s3 },
    ...remote,
  };
  for await (const batch of readInput(file, totals, { remote: options })) captures += batch.length;
  const { problems, inputBytes } = totals.toData();
  return { captures, inputBytes, messages: problems.map(({ message }) => message) };
};
const WHOLE = { captures: 500, inputBytes: ARCHIVE.length, messages: [] };

describe('an object of S3', () => {
  test('is read with a signature, which is that of the library of AWS', async () => {
    expect(await read({ ...SIGNED, endpoint })).toEqual(WHOLE);
    const sessionToken = 'token/of+a session==';
    expect(await read({ ...SIGNED, sessionToken, endpoint: `${endpoint}/` })).toEqual(WHOLE);
    expect(server.received.at(-1)).toMatchObject({ 'x-amz-security-token': sessionToken });
  });

  test('of a public bucket is read without a signature', async () => {
    expect(await read({ endpoint }, 's3://public/a.warc.gz')).toEqual(WHOLE);
    expect(server.received.at(-1)).not.toHaveProperty('authorization');
  });

  test('is resumed after a broken connection, with a signature of its own', async () => {
    const requests: string[] = [];
    const proxy = await serveRaw((socket, request) => {
      requests.push(request);
      const upstream = connect(Number(new URL(endpoint).port), '127.0.0.1');
      upstream.on('error', () => {}).write(request, 'latin1');
      socket.on('close', () => upstream.destroy());
      if (requests.length > 1) upstream.pipe(socket);
      else upstream.once('data', (chunk: Buffer) => socket.end(chunk.subarray(0, 50_000)));
    });
    try {
      expect(await read({ ...SIGNED, endpoint: proxy.origin })).toEqual(WHOLE);
      expect(requests).toHaveLength(2);
      expect(requests[1]).toMatch(/^authorization: AWS4-HMAC-SHA256 /im);
      expect(server.received.at(-1)).toMatchObject({
        range: expect.stringMatching(/^bytes=\d+-$/),
        'if-range': expect.stringMatching(/^"/),
      });
    } finally {
      await proxy.close();
    }
  });

  test.each([
    [{ secretAccessKey: 'wrong' }, 'status 403, SignatureDoesNotMatch: check AWS_SECRET_ACCESS_KEY'],
    [{ region: 'us-east-2' }, 'status 403, SignatureDoesNotMatch: check AWS_SECRET_ACCESS_KEY'],
    [{ accessKeyId: 'wrong' }, 'status 403, InvalidAccessKeyId: check AWS_ACCESS_KEY_ID'],
    [{ secretAccessKey: undefined }, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together'],
    [
      { accessKeyId: undefined, secretAccessKey: undefined },
      'status 403, AccessDenied: the request had no signature, so set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    [
      { sessionToken: 'secret\nvalue' },
      'AWS_ACCESS_KEY_ID or AWS_SESSION_TOKEN has characters that cannot be sent',
    ],
  ])('cannot be read with %j', async (options, message) => {
    expect(await read({ ...SIGNED, endpoint, ...options })).toEqual({
      captures: 0,
      inputBytes: 0,
      messages: [message],
    });
  });

  test('that does not exist is a problem', async () => {
    const getMessages = async (path: string) => (await read({ ...SIGNED, endpoint }, path)).messages;
    expect(await getMessages('s3://private/none.warc')).toEqual(['status 404, NoSuchKey']);
    expect(await getMessages('s3://none/a.warc')).toEqual(['status 404, NoSuchBucket']);
    expect((await read({ endpoint: 'ftp://a.example' })).messages).toEqual([
      'AWS_ENDPOINT_URL is not an http or https URL',
    ]);
  });

  test('in another region, and behind a redirect, is a problem with the region', async () => {
    const site = await serve((_request, response) =>
      response
        .writeHead(301, { location: endpoint, 'x-amz-bucket-region': 'us-west-2' })
        .end('<Error><Code>PermanentRedirect</Code></Error>'),
    );
    try {
      expect((await read({ ...SIGNED, endpoint: site.origin })).messages).toEqual([
        'status 301, PermanentRedirect: the bucket is in the region us-west-2, so set AWS_REGION',
      ]);
    } finally {
      await site.close();
    }
  });

  test('has an address by bucket and region', async () => {
    const getUrl = async (path: string, options?: S3Options) => (await createS3Request(path, options)).url;
    expect(await getUrl('s3://commoncrawl/crawl-data/a.warc.gz')).toBe(
      'https://commoncrawl.s3.us-east-1.amazonaws.com/crawl-data/a.warc.gz',
    );
    expect(await getUrl('s3://my.bucket/a', { region: 'eu-west-1' })).toBe(
      'https://s3.eu-west-1.amazonaws.com/my.bucket/a',
    );
    await expect(getUrl('s3://b/a', { region: 'eu.example/' })).rejects.toThrow('AWS_REGION is not the name');
  });

  test.each([
    ...['s3://', 's3://bucket', 's3://bucket/', 's3://bucket/../a.warc', 's3://b@d/a.warc', 's3://b/a.md'],
    's3://b/a.txt',
  ])('%s is refused', async (path) => {
    await expect(findInputs([path])).rejects.toThrow(/not s3:\/\/BUCKET\/KEY|unknown format|not an archive/);
  });
});

describe('maycrawl census judge', () => {
  test('reads the variables of AWS, and never writes a secret', async () => {
    writeFileSync(join(folder, 'list'), `${KEY}\n`);
    const judge = (name: string, secret: string) =>
      run(
        [
          ...['census', 'judge', '--manifest', join(folder, 'list'), '--base', 's3://private'],
          ...['--agents', 'GPTBot', '--out', join(folder, name)],
        ],
        '',
        {
          env: {
            ...ownCache(),
            AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
            AWS_SECRET_ACCESS_KEY: secret,
            AWS_REGION: REGION,
            AWS_ENDPOINT_URL: endpoint,
          },
        },
      );
    const refused = await judge('refused', 'wrong-secret');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `1 input could not be read: s3://private/${KEY}: status 403, SignatureDoesNotMatch: check AWS_SECRET_ACCESS_KEY\n`,
      ),
    });
    const text = readFileSync(join(folder, 'refused', 'census.json'), 'utf8');
    expect(text + refused.stderr).not.toContain('wrong-secret');
    expect(await judge('read', KEYS.secretAccessKey)).toMatchObject({ code: 0 });
    const summary = JSON.parse(readFileSync(join(folder, 'read', 'census.json'), 'utf8')) as CensusSummary;
    expect(summary).toMatchObject({ captures: 500, inputs: [{ path: `s3://private/${KEY}` }] });
  });
});
