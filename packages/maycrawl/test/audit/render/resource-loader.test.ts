/** Loads files for pages from a server on loopback, and what a page network does with errors of which no page is the cause. */
import type { Request, Route } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createAddressPolicy } from '../../../../client/src/http/address-policy.ts';
import { serve } from '../../../../client/test/support/server.ts';
import type { CrawlParts } from '../../../src/audit/crawl/crawl-options.ts';
import { PageClient } from '../../../src/audit/crawl/page-client.ts';
import { PageNetwork } from '../../../src/audit/render/page-network.ts';
import { RefusedError, ResourceLoader } from '../../../src/audit/render/resource-loader.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const OBSERVER = { onQueue() {}, onSend() {} };
const HEADERS = { accept: '*/*' };

function createLoader(getSite: CrawlParts['guard']['getSite']): ResourceLoader {
  const client = new PageClient({
    ...{ userAgent: 'test', headers: [], headerOrigins: new Set<string>(), connections: 8, timeout: 20_000 },
    ...{ addressPolicy: createAddressPolicy({ allowPrivateAddresses: true }), maxBytes: 1_000 },
  });
  open.push(client);
  return new ResourceLoader({
    ...{ client, guard: { getSite }, signal: new AbortController().signal, now: Date.now },
    ...{ concurrency: 8, spacing: 0, obeysCrawlDelay: false },
  } as unknown as CrawlParts);
}

const allow = async () => ({ refuse: () => null, crawlDelay: 0 }) as never;

test('files of a host that fails are refused until one of its pages responds', async () => {
  const requests: string[] = [];
  const site = await serve(({ url = '' }, response) => {
    requests.push(url);
    response.statusCode = url.startsWith('/down') ? 503 : 200;
    response.end('x');
  });
  open.push(site);
  const loader = createLoader(allow);
  const load = async (path: string): Promise<number | string> => {
    try {
      return (await loader.load(`${site.origin}${path}`, HEADERS, OBSERVER)).status;
    } catch (error) {
      if (error instanceof RefusedError) return error.reason;
      throw error;
    }
  };
  const results = await Promise.all(Array.from({ length: 40 }, (_, index) => load(`/down/${index}`)));
  expect(results.filter((result) => result === 503)).toHaveLength(8);
  expect(results.filter((result) => result === 'host-failing')).toHaveLength(32);
  expect(requests).toHaveLength(8);
  expect(await load('/app.js')).toBe('host-failing');
  expect((await loader.loadPage(`${site.origin}/page`, 1_000)).status).toBe(200);
  expect(await load('/app.js')).toBe(200);
});

test('an error of which the page is not the cause is reported, and its request fails', async () => {
  const failure = new Error('the disk is full');
  const errors: unknown[] = [];
  const network = new PageNetwork({
    ...{ url: 'http://a/', response: { status: 200, headers: [], body: new Uint8Array() } },
    ...{ observer: OBSERVER, onFlood() {}, onError: (error: unknown) => errors.push(error) },
    loader: createLoader(() => Promise.reject(failure)),
  });
  const page = {};
  network.setPage(page as never);
  const request = {
    ...{
      url: () => 'http://a/app.js',
      method: () => 'GET',
      resourceType: () => 'script',
      headers: () => ({}),
    },
    ...{ isNavigationRequest: () => false, frame: () => ({ page: () => page }) },
  } as unknown as Request;
  const aborted: unknown[] = [];
  const route = { request: () => request, abort: async (code: string) => aborted.push(code) };
  await network.handle(route as unknown as Route);
  expect(errors).toEqual([failure]);
  expect(aborted).toEqual(['failed']);
});
