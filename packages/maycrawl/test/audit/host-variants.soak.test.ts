/** A variant of a host that takes connections and never responds keeps an audit for ten seconds, whatever the timeout of the audit is. */
import { expect, test } from 'vitest';
import { HOST_VARIANTS } from '../../src/audit/run/records/site-facts.ts';
import { crawlAll, serveSite } from './crawling.ts';

test.each(['/robots.txt', '/'])('a variant that does not respond to a request for %s', async (silent) => {
  const server = await serveSite(({ url, headers: { host = '' } }, response) => {
    if (host.startsWith('www.') && url === silent) return undefined;
    return response
      .setHeader('content-type', 'text/html')
      .end(url === '/robots.txt' ? '' : '<title>Shop</title>');
  });
  const origin = server.origin.replace('127.0.0.1', 'shop.localhost');
  const { run, end } = await crawlAll([`${origin}/`], { requestsHostVariants: true, timeout: 3_600_000 });
  expect(end.reason).toBe('complete');
  const [, variant] = HOST_VARIANTS.get(run, origin) ?? [];
  expect(variant).toMatchObject({ status: null, code: 'timeout', detail: 'no response within 10 s' });
  expect([...run.findings.list('host-variant-fails', 0)]).toEqual([]);
});
