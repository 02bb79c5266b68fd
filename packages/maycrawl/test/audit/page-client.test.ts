import { deflateRawSync, deflateSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createAddressPolicy } from '../../../client/src/http/address-policy.ts';
import { LocalFailureError } from '../../../client/src/http/local-failure.ts';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { type ClientOptions, PageClient } from '../../src/audit/crawl/page-client.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(
  listener: Parameters<typeof serve>[0],
  options: Partial<ClientOptions> = {},
): Promise<{ readonly site: TestServer; readonly client: PageClient }> {
  const site = await serve(listener);
  const client = new PageClient({
    ...{ userAgent: 'test', headers: [], headerHosts: new Set(), connections: 2, timeout: 5_000 },
    ...{ addressPolicy: createAddressPolicy({ allowPrivate: true }), maxBytes: 1_000 },
    ...options,
  });
  open.push(site, client);
  return { site, client };
}

test.each([
  ['with the zlib header', deflateSync],
  ['without it, as many servers send it', deflateRawSync],
])('deflate %s is decoded, of pages and of sitemaps', async (_name, compress) => {
  const { site, client } = await start((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'deflate' })
      .end(compress('<p>text')),
  );
  expect(Buffer.from((await client.fetch(`${site.origin}/`)).body).toString()).toBe('<p>text');
  const { body } = await client.open(`${site.origin}/`, AbortSignal.timeout(5_000));
  expect(Buffer.concat(await body.toArray()).toString()).toBe('<p>text');
});

test('a blocked port and a private address have their own codes', async () => {
  const { client } = await start(() => {}, { addressPolicy: createAddressPolicy() });
  await expect(client.fetch('http://127.0.0.1:25/')).rejects.toMatchObject({ code: 'blocked-port' });
  await expect(client.fetch('http://127.0.0.1:2/')).rejects.toMatchObject({ code: 'private-address' });
});

test('the time in a queue of this process is not the time of a page', async () => {
  let leave: () => void = () => {};
  const isOver = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const { site, client } = await start((_request, response) => response.end('x'), {
    timeout: 1_000,
    resolver: {
      resolve: async (_name, options) => {
        options?.onQueue?.();
        await isOver;
        options?.onSend?.();
        return ['127.0.0.1'];
      },
    },
  });
  const { port } = new URL(site.origin);
  const fetching = client.fetch(`http://site.test:${port}/`);
  // Longer than a page may take.
  setTimeout(leave, 1_200);
  expect((await fetching).status).toBe(200);
});

test('a failure of this machine is no failure of a page', async () => {
  const failure = new LocalFailureError('name-server-unreachable', 'no name server');
  const { client } = await start(() => {}, { resolver: { resolve: () => Promise.reject(failure) } });
  await expect(client.fetch('http://site.test/')).rejects.toBe(failure);
});
