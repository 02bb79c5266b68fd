import { expect, test } from 'vitest';
import { getHeaderOrigins } from '../../src/audit/crawl/page-client.ts';
import { crawlAll, serveSite } from './crawling.ts';

test.each([
  [['https://example.com/a'], ['https://example.com']],
  [['http://example.com/'], ['http://example.com', 'https://example.com']],
  [
    ['http://example.com:8080/', 'https://b.example/'],
    ['http://example.com:8080', 'https://b.example', 'https://example.com:8080'],
  ],
])('custom headers of an audit from %j are sent to %j', (starts, origins) => {
  expect([...getHeaderOrigins(starts)].sort()).toEqual(origins);
});

test('custom headers are sent only to the hosts of the starts', async () => {
  const received: Record<string, (string | undefined)[]> = { own: [], other: [] };
  const other = await serveSite(({ headers }, response) => {
    received['other']?.push(headers['x-secret'] as string | undefined);
    response.end('<urlset></urlset>');
  }, '127.0.0.2');
  const own = await serveSite(({ headers, url }, response) => {
    if (url === '/robots.txt') {
      response.end(`Sitemap: ${other.origin}/sitemap.xml`);
      return;
    }
    received['own']?.push(headers['x-secret'] as string | undefined);
    response.setHeader('content-type', 'text/html');
    response.end('<a href="/a">a</a>');
  });
  const { end } = await crawlAll([`${own.origin}/`], { headers: [['x-secret', 'sesame']] });
  expect(end.reason).toBe('complete');
  expect(received['own']).toEqual(['sesame', 'sesame']);
  // The requests for its robots.txt and the sitemap.
  expect(received['other']).toEqual([undefined, undefined]);
});
