import { createHash, createHmac } from 'node:crypto';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import S3rver from 's3rver';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';

export const KEYS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };
export const REGION = 'eu-west-1';

/** A server with the interface of S3, which requires signatures unless the bucket is public. */
export interface S3Server extends TestServer {
  /** Stores an object. */
  put(bucket: string, key: string, content: Buffer): Promise<void>;
  /** Headers of the requests that were permitted. */
  readonly received: IncomingMessage['headers'][];
}

/** Starts a server with the buckets `private` and `public`. s3rver does not check signatures of version 4, so the signer of AWS does. */
export async function startS3(directory: string): Promise<S3Server> {
  const store = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: ['private', 'public'].map((name) => ({ name, configs: [] })),
  });
  const { port } = await store.run();
  const received: IncomingMessage['headers'][] = [];
  const site = await serve(async (request, response) => {
    const refusal = request.url?.startsWith('/public/') ? undefined : await findRefusal(request);
    if (refusal !== undefined) {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?>\n<Error><Code>${refusal}</Code><Message>text</Message></Error>`);
      return;
    }
    received.push(request.headers);
    const { authorization: _, ...headers } = request.headers;
    const { url, method } = request;
    request.pipe(
      sendRequest({ port, host: '127.0.0.1', path: url, method, headers }, (stored) => {
        response.writeHead(stored.statusCode ?? 500, stored.headers);
        stored.pipe(response);
      }),
    );
  });
  return {
    ...site,
    received,
    put: async (bucket, key, content) => {
      const path = key.split('/').map(encodeURIComponent).join('/');
      const put = await fetch(`http://127.0.0.1:${port}/${bucket}/${path}`, { method: 'PUT', body: content });
      if (put.status !== 200) throw new Error(`status ${put.status}`);
    },
    close: async () => {
      await site.close();
      await store.close();
    },
  };
}

/** Signs a request again, and compares the signatures. */
async function findRefusal({ headers, method = '', url = '' }: IncomingMessage): Promise<string | undefined> {
  const [, key, names] =
    /Credential=([^/]+)\/.*SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  if (names === undefined) return 'AccessDenied';
  if (key !== KEYS.accessKeyId) return 'InvalidAccessKeyId';
  const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]));
  const date = String(headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const [path = '', query] = url.split('?');
  const signer = new SignatureV4({
    ...{ credentials: KEYS, region: REGION, service: 's3', sha256: Sha256 },
    ...{ uriEscapePath: false, applyChecksum: false },
  });
  const again = await signer.sign(
    {
      ...{ method, protocol: 'http:', hostname: '127.0.0.1', path, headers: signed },
      ...(query !== undefined && { query: Object.fromEntries(new URLSearchParams(query)) }),
    },
    { signingDate: new Date(date) },
  );
  return again.headers['authorization'] === headers.authorization ? undefined : 'SignatureDoesNotMatch';
}

/** SHA-256 and HMAC as the signer uses them. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(data as Uint8Array);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}
