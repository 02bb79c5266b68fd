import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { fetchRobotsTxt, refetchRobotsTxt } from '../../src/robots/fetch.ts';
import { serve } from '../support/server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapAfterCollection(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test.each([
  ['not-modified', 304],
  ['unavailable', 404],
  ['successful after a redirect', 301],
])(
  'many fetches with one signal leave nothing behind: %s',
  async (_name, status) => {
    const site = await serve((request, response) => {
      if (request.url === '/robots.txt')
        response.writeHead(status, { location: '/moved', etag: '"1"' }).end();
      else response.end('User-agent: *\nDisallow: /a\n');
    });
    const url = `${site.origin}/robots.txt`;
    const { signal } = new AbortController();
    const fetchOnce = (): Promise<unknown> =>
      status === 304
        ? refetchRobotsTxt(url, { url, etag: '"1"', lastModified: null }, { signal })
        : fetchRobotsTxt(url, { signal });
    for (let round = 0; round < 100; round++) await fetchOnce();
    const before = heapAfterCollection();
    const rounds = 200;
    for (let round = 0; round < rounds; round++) await fetchOnce();
    // A leaked response takes some 10,000 bytes.
    expect((heapAfterCollection() - before) / rounds).toBeLessThan(3_000);
    await site.close();
  },
  60_000,
);
