import { expect, test } from 'vitest';
import { requestFromSites } from '../../src/audit/crawl/site-requests/request-from-sites.ts';

/** A part that has only what the requests use. */
const createPart = (part: unknown): never => part as never;

/** Sends requests to a number of sites. @returns their URLs. */
async function requestFrom(count: number): Promise<string[]> {
  const origins = Array.from({ length: count }, (_, index) => `https://host-${index}.example`);
  const facts = new Map<string, string>();
  const { signal } = new AbortController();
  await requestFromSites<string>(
    createPart({
      run: { robots: { list: () => origins.map((origin) => ({ origin })) } },
      ...{ settings: { starts: [] }, signal, spacing: 0, obeysCrawlDelay: false },
    }),
    {
      guard: createPart({ getSite: async () => ({ crawlDelay: 0, mayFetch: () => true }) }),
      client: createPart({}),
      classify: () => ({ state: 'waiting' }),
    },
    {
      facts: createPart({
        isClaimed: () => false,
        claim: () => true,
        set: (_run: unknown, origin: string, fact: string) => facts.set(origin, fact),
      }),
      createUrls: (_origin, [folder = '']) => [`${folder}missing`],
      request: async (url) => url,
    },
  );
  return [...facts.values()];
}

test('requests to many sites at the same time add no more listeners to the signal than Node accepts', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): number => warnings.push(name);
  process.on('warning', onWarning);
  const urls = await requestFrom(30);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(urls).toEqual(Array.from({ length: 30 }, (_, index) => `https://host-${index}.example/missing`));
  expect(warnings).toEqual([]);
});

test('at most a hundred sites are requested', async () => {
  expect(await requestFrom(130)).toHaveLength(100);
});
