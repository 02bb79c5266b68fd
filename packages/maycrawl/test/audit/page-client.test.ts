import { afterEach, expect, test } from 'vitest';
import { createAddressPolicy } from '../../../client/src/http/address-policy.ts';
import { serve } from '../../../client/test/support/server.ts';
import { PageClient } from '../../src/audit/crawl/page-client.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

test('only HTML bodies are read, up to one byte beyond the limit', async () => {
  const site = await serve(({ url }, response) =>
    response.setHeader('content-type', url === '/html' ? 'text/html' : 'image/png').end('x'.repeat(2_000)),
  );
  const client = new PageClient({
    ...{ userAgent: 'test', headers: [], headerOrigins: new Set(), connections: 2, timeout: 20_000 },
    ...{ addressPolicy: createAddressPolicy({ allowPrivateAddresses: true }), maxBytes: 1_000 },
  });
  open.push(site, client);
  expect((await client.fetch(`${site.origin}/html`)).body.length).toBe(1_001);
  expect((await client.fetch(`${site.origin}/image`)).body.length).toBe(0);
});
